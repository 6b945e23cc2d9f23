// Builds packages of this clone as they will be published, with all that they need of it, and prints the command that installs them in a project:
// pnpm pack-packages NAME… [--to FOLDER]. Without names, it packs all.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { execaSync } from 'execa'

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = readOptions()
const folder = resolve(values.to)

function readOptions() {
  try {
    return parseArgs({
      options: { to: { type: 'string', default: join(root, 'packed') } },
      allowPositionals: true,
    })
  } catch {
    return refuse('expected names of packages, and perhaps --to FOLDER')
  }
}

function refuse(message) {
  process.stderr.write(`error: ${message}\n`)
  process.exit(2)
}

/** The manifests of the packages that are published, by their folders. */
const manifests = new Map(
  readdirSync(join(root, 'packages'))
    .map((name) => [name, JSON.parse(readFileSync(join(root, 'packages', name, 'package.json')))])
    .filter(([, manifest]) => manifest.private !== true),
)

/** Adds a package and those of this clone that it needs. */
function add(name, needed) {
  if (needed.has(name)) return
  needed.add(name)
  for (const each of Object.keys(manifests.get(name).dependencies ?? {})) {
    const own = each.replace('@toolblocks/', '')
    if (own !== each) add(own, needed)
  }
}

const names = positionals.map((name) => name.replace('@toolblocks/', ''))
const unknown = names.filter((name) => !manifests.has(name))
if (unknown.length > 0)
  refuse(`no package ${unknown.join(', ')}; there are ${[...manifests.keys()].join(', ')}`)
const needed = new Set()
for (const name of names.length > 0 ? names : manifests.keys()) add(name, needed)

const inRoot = {
  cwd: root,
  preferLocal: true,
  localDir: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { TURBO_TELEMETRY_DISABLED: '1' },
}
const filters = [...needed].map((name) => `--filter=./packages/${name}`)
execaSync('turbo', ['run', 'build', ...filters], inRoot)
mkdirSync(folder, { recursive: true })
execaSync('pnpm', [...filters, 'pack', '--pack-destination', folder], inRoot)
const files = [...needed].map((name) =>
  join(folder, `toolblocks-${name}-${manifests.get(name).version}.tgz`),
)
process.stdout.write(
  `Packed ${files.length} ${files.length === 1 ? 'package' : 'packages'}. In the folder of your project, install ${files.length === 1 ? 'it' : 'them together'}:\n  npm install ${files.join(' ')}\n`,
)
