// Writes what all published packages share into their folders: fields of the root manifest, LICENSE and NOTICE; the address of the repository
// into the pages that name it; and the version and the name of the command into `server.json`, its entry in the MCP Registry. pnpm manifests
// `test/manifests.test.ts` compares them.
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const read = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
/** The address that stands for the unknown one. */
const PLACEHOLDER = 'https://github.com/OWNER/toolblocks'

const { author, bugs, homepage, license, repository } = read('.')

for (const group of ['packages', 'apps']) {
  for (const name of readdirSync(join(root, group))) {
    const directory = `${group}/${name}`
    const manifest = read(directory)
    if (manifest.private) continue
    const shared = { license, author, homepage, bugs, repository: { ...repository, directory } }
    const publishConfig = { ...manifest.publishConfig, access: 'public', provenance: true }
    const files = [...new Set([...manifest.files, 'CHANGELOG.md', 'NOTICE'])]
    // `pnpm pack` and `npm pack` build first: a tarball without `dist` has no code. Output of a build is not output of the pack, such as its JSON.
    const scripts = { ...manifest.scripts, prepack: 'turbo run build 1>&2' }
    const stamped = { ...manifest, ...shared, files, publishConfig, scripts }
    writeFileSync(join(root, directory, 'package.json'), `${JSON.stringify(stamped, null, 2)}\n`)
    for (const file of ['LICENSE', 'NOTICE'])
      copyFileSync(join(root, file), join(root, directory, file))
  }
}

const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
for (const page of [
  'CODE_OF_CONDUCT.md',
  'SECURITY.md',
  'README.md',
  '.github/ISSUE_TEMPLATE/config.yml',
]) {
  const text = readFileSync(join(root, page), 'utf8')
  writeFileSync(join(root, page), text.replaceAll(PLACEHOLDER, address))
}

// The registry accepts the entry only if the published package names it, too.
const entryFile = join(root, 'server.json')
const command = read('apps/reference-host')
const entry = JSON.parse(readFileSync(entryFile, 'utf8'))
const [owner] = new URL(address).pathname.split('/').slice(1)
const name = `io.github.${owner}/${command.name}`
const { version } = command
const stampedEntry = {
  ...entry,
  name,
  repository: { ...entry.repository, url: address },
  version,
  packages: entry.packages.map((published) => ({ ...published, version })),
}
writeFileSync(entryFile, `${JSON.stringify(stampedEntry, null, 2)}\n`)
writeFileSync(
  join(root, 'apps/reference-host/package.json'),
  `${JSON.stringify({ ...command, mcpName: name }, null, 2)}\n`,
)
