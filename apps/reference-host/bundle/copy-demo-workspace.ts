import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

const WORKSPACE = fileURLToPath(new URL('../../../examples/demo-workspace', import.meta.url))

/** Copies the workspace that `toolblocks demo` starts with beside the built command. */
export function copyDemoWorkspace(): Plugin {
  return {
    name: 'copy-demo-workspace',
    async writeBundle({ dir = 'dist' }) {
      await cp(WORKSPACE, join(dir, 'demo-workspace'), { recursive: true })
    },
  }
}
