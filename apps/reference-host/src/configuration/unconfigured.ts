import { join } from 'node:path'
import type { Configuration } from './configuration.ts'

/** The configuration of a folder that has none. */
export function unconfigured(root: string): Configuration {
  // What is to be written is to be written there.
  const file = join(root, 'toolblocks.toml')
  return {
    file,
    root,
    tools: {},
    mcp: { servers: {}, tools: {} },
    format: {},
    deduplication: {},
    budget: {},
    agents: {},
    locate: ({ path, message }) => ({ file, key: path.join('.'), message }),
  }
}
