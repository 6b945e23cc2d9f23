// Removes all builds, so that no file of an older source stays in a package: pnpm clean
import { globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
for (const built of globSync(['packages/*/dist', 'packages/*/schemas', 'apps/*/dist'], {
  cwd: root,
}))
  rmSync(join(root, built), { recursive: true })
