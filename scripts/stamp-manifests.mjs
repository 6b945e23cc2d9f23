// Writes what all published packages share from the root manifest into theirs, with the folder of each: pnpm manifests
// `test/manifests.test.ts` compares them.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
const { author, bugs, homepage, license, repository } = read('.')

for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    const directory = `${group}/${name}`
    const manifest = read(directory)
    if (manifest.private) continue
    const shared = { license, author, homepage, bugs, repository: { ...repository, directory } }
    const publishConfig = { ...manifest.publishConfig, access: 'public', provenance: true }
    const stamped = { ...manifest, ...shared, publishConfig }
    writeFileSync(join(root, directory, 'package.json'), `${JSON.stringify(stamped, null, 2)}\n`)
  }
}
