// Counts the structure of the code: lines, files and exports of each package, folder cycles, the types on three paths, and the modules and functions
// of one `call` with a store: pnpm exec node tools/measure-structure.mjs. It changes no files.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFolderCycles, getImports, readSources } from './structure/folder-cycles.mjs'
import { PATHS } from './structure/paths.mjs'

const root = resolve(import.meta.dirname, '..')
const folders = [
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
  'apps/reference-host',
]

/** Counts the names that `index.ts` and the other entries of a package export, except `/internal`, which only siblings import. */
function countExports(folder) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const doors = Object.entries(manifest.exports ?? {})
    .filter(([key, door]) => !key.startsWith('./internal') && String(door).endsWith('.ts'))
    .map(([, door]) => door)
  const names = doors.flatMap((door) => {
    const text = readFileSync(join(root, folder, String(door)), 'utf8')
    const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    )
    const declared = [
      ...text.matchAll(/^export (?:async )?(?:const|function|type|interface) (\w+)/gm),
    ]
    return [...lists.filter((name) => name !== ''), ...declared.map(([, name]) => name)]
  })
  return names.length
}

const rows = folders.map((folder) => {
  const sources = readSources(join(root, folder))
  const lines = sources.map(({ text }) => text.split('\n').length - 1)
  return {
    folder,
    files: sources.length,
    lines: lines.reduce((sum, count) => sum + count, 0),
    'below 30 lines': lines.filter((count) => count < 30).length,
    exports: countExports(folder),
    imports: sources.reduce((sum, source) => sum + getImports(source.text).length, 0),
    'folder cycles': findFolderCycles(sources).length,
  }
})
const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
const total = Object.fromEntries(
  Object.keys(rows[0])
    .slice(1)
    .map((key) => [key, sum(key)]),
)
console.table([...rows, { folder: 'all', ...total }])

const lineCount = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(mjs|ts|cjs)$/.test(file) && !file.includes('node_modules'))
    .reduce(
      (count, file) =>
        count + readFileSync(join(root, folder, file), 'utf8').split('\n').length - 1,
      0,
    )
for (const folder of ['tools', 'scripts']) console.log(`${folder}: ${lineCount(folder)} lines`)

for (const [name, shapes] of Object.entries(PATHS)) {
  const gone = shapes.filter(([file, type]) => !declares(file, type))
  if (gone.length > 0)
    throw new Error(
      `tools/structure/paths.mjs: ${JSON.stringify(gone)} do not exist; correct the paths`,
    )
  console.log(`${name}: ${shapes.length} types: ${shapes.map(([, type]) => type).join(' → ')}`)
}

function declares(file, type) {
  const text = readFileSync(join(root, file), 'utf8')
  return new RegExp(`\\b(?:interface|type) ${type}\\b`).test(text)
}

const folder = mkdtempSync(join(tmpdir(), 'measure-structure-'))
try {
  const tool = `console.log(JSON.stringify({content: [{type: 'text', text: 'hello'}]}))`
  const settings = `[store]
url = "sqlite:kept.db"
[tools.greet]
source = "local"
command = ${JSON.stringify([process.execPath, '-e', tool])}
run = "unattended"
[tools.greet.parameters.name]
type = "string"
`
  writeFileSync(join(folder, 'toolblocks.toml'), settings)
  const command = [
    join(root, 'apps/reference-host/src/main.ts'),
    'call',
    'greet',
    '--arg',
    'name=x',
    '--trust',
  ]
  const coverage = join(folder, 'coverage')
  const env = {
    ...process.env,
    HOME: folder,
    NODE_V8_COVERAGE: coverage,
    NODE_DISABLE_COMPILE_CACHE: '1',
  }
  const ran = spawnSync(process.execPath, command, { cwd: folder, env, encoding: 'utf8' })
  if (ran.stdout !== 'hello\n') throw new Error(`the call failed: ${ran.stdout}${ran.stderr}`)
  const here = pathToFileURL(`${root}/`).href
  for (const file of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8'))
    const ours = result.filter(({ url }) => url.startsWith(here) && !url.includes('node_modules'))
    const active = ours.map(({ functions }) =>
      functions.filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
    )
    if (ours.length > 0)
      console.log(
        `one call with a store: ${ours.length} modules loaded, ${active.filter((each) => each.length > 0).length} active, ${active.flat().length} named functions run`,
      )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
