import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Reads every entry of every published package: its package, folder, import name, and built declarations. `/internal`, which only siblings of the
 * same version import, is not an API, and a stylesheet has no names.
 */
export function readEntries(root) {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = join(root, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (manifest.private === true) return []
    return Object.entries(manifest.publishConfig.exports)
      .filter(
        ([key, target]) =>
          target.types !== undefined && !key.startsWith('./internal') && !key.endsWith('.css'),
      )
      .map(([key, { types }]) => ({
        packageName: manifest.name,
        folder,
        name: `${manifest.name}${key.slice(1)}`,
        declarations: join(folder, types),
        report: join(folder, 'api', `${key === '.' ? 'index' : key.slice(2)}.api.md`),
      }))
  })
}
