import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findFileCycles, findFolderCycles, readSources } from '../tools/structure/folder-cycles.mjs'

const root = resolve(import.meta.dirname, '..')

/** Reads the Markdown table under a heading of a page. The cells are trimmed. */
function makeTable(page: string, heading: string): readonly (readonly string[])[] {
  const [, text = ''] = readFileSync(join(root, page), 'utf8').split(`\n## ${heading}\n`)
  const [section = ''] = text.split('\n## ')
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const named = (cell = ''): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The allowed imports between our packages in docs/architecture.md. A new one is decided there first. */
const arrows = new Map(
  makeTable('docs/architecture.md', 'The packages and the arrows between them')
    .filter(([name = '']) => !name.includes('apps/'))
    .map(([name, , allowed = '']) => [
      named(name)[0] ?? '',
      allowed === '–' ? [] : allowed.split(', ').toSorted(),
    ]),
)

/** The places where a library may be imported, by docs/dependencies.md: packages, and one file if only that file imports it. */
const doors = makeTable('docs/dependencies.md', 'At run time').flatMap(([libraries, door = '']) =>
  named(libraries).map((library) => {
    const places = door.split(';').map((entry) => entry.trim())
    return {
      library,
      packages: places.map((entry) => entry.split(/[ ,]/)[0] ?? ''),
      byOneFile: places
        .filter((entry) => entry.includes('one file'))
        .map((entry) => entry.split(/[ ,]/)[0]),
    }
  }),
)

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

/** Returns the packages that a package needs at run time: dependencies, peers, and those that are built into it. */
function runtimeDependencies(folder: string): string[] {
  const { dependencies, peerDependencies } = manifest(folder)
  return [
    ...new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...builtIn(folder)]),
  ]
}

/** Returns the packages that rolldown builds into a package. They are development dependencies, so that they are not installed twice. */
function builtIn(folder: string): string[] {
  if (!existsSync(join(root, folder, 'rolldown.config.ts'))) return []
  const { devDependencies = {} } = manifest(folder)
  return sources(folder)
    .flatMap(imports)
    .filter(isPackage)
    .map(getPackage)
    .filter((name) => Object.hasOwn(devDependencies, name))
}

const packages = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
)

function sources(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|support)\.ts$/.test(file))
    .map((file) => join(root, folder, 'src', file))
}

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import '|(?:import|export|\}).*\bfrom ')([^']+)'/gm)
  const expressions = text.matchAll(/\bimport\('([^'$]+)'\)/g)
  return [...statements, ...expressions].map(([, specifier]) => specifier as string)
}

const isPackage = (specifier: string): boolean => !/^(\.|#|node:)/.test(specifier)

/** Returns the package of a specifier such as `@a/b/c`. */
function getPackage(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

test('the table of packages names every package, and no other', () => {
  expect([...arrows.keys()].toSorted()).toEqual(packages.toSorted())
})

test.for(packages)(
  '%s is named after its folder, and depends on the siblings in the table',
  (name) => {
    expect(manifest(join('packages', name)).name).toBe(`@toolblocks/${name}`)
    const siblings = runtimeDependencies(join('packages', name))
      .filter((dependency) => dependency.startsWith('@toolblocks/'))
      .map((dependency) => dependency.replace('@toolblocks/', ''))
    expect(siblings.toSorted()).toEqual(arrows.get(name))
  },
)

test.for(packages)('%s imports only packages in its manifest, and nothing of the app', (name) => {
  const folder = join('packages', name)
  const known = new Set([...runtimeDependencies(folder), manifest(folder).name])
  for (const file of sources(folder)) {
    for (const specifier of imports(file)) {
      if (!isPackage(specifier)) continue
      expect(known, `${file} imports ${specifier}`).toContain(getPackage(specifier))
    }
  }
})

const folders = [...packages.map((name) => join('packages', name)), 'apps/reference-host']
const getName = (folder: string): string => folder.split('/').at(-1) ?? ''

/** The command is built with its libraries inside: those that it imports, and those that are installed beside it. */
function getLibraries(folder: string): readonly string[] {
  const installed = runtimeDependencies(folder)
  if (!folder.startsWith('apps/')) return installed
  return [...installed, ...sources(folder).flatMap(imports).filter(isPackage).map(getPackage)]
}

test('the table of libraries names each library of a manifest, and no other', () => {
  const libraries = folders
    .flatMap(getLibraries)
    .filter((name) => !name.startsWith('@toolblocks/') && name !== 'toolblocks')
  expect(doors.map(({ library }) => library).toSorted()).toEqual([...new Set(libraries)].toSorted())
})

function getUsers(library: string, folder: string): readonly string[] {
  const isOf = (specifier: string): boolean =>
    specifier === library || specifier.startsWith(`${library}/`)
  return sources(folder).filter((file) => imports(file).some(isOf))
}

test.for(doors)(
  '$library is imported only in its place of the table',
  ({ library, packages: allowed, byOneFile }) => {
    const users = folders.map((folder) => ({
      name: getName(folder),
      files: getUsers(library, folder),
    }))
    const outside = users.filter(({ name, files }) => files.length > 0 && !allowed.includes(name))
    const tooMany = users.filter(({ name, files }) => files.length > 1 && byOneFile.includes(name))
    expect([...outside, ...tooMany]).toEqual([])
  },
)

test('prompts are opened by one file, which accepts only text for the terminal', () => {
  const users = sources('packages/inquiry').filter((file) =>
    imports(file).some((specifier) => specifier.startsWith('@clack/')),
  )
  expect(users).toEqual([join(root, 'packages/inquiry/src/terminal/prompts.ts')])
})

/** The modules that start processes, and the one file that may load each. Any file may import their types. */
const STARTERS: readonly (readonly [module: string, door: string | undefined])[] = [
  ['child_process', undefined],
  ['execa', 'packages/local-executor/src/process/spawn.ts'],
  ['@lydell/node-pty', 'packages/local-executor/src/pty/load-libraries.ts'],
  ['cluster', undefined],
]

/** Lists every published file, including files that are not TypeScript. */
function shipped(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/\.(test|support)\.ts$/.test(file))
    .map((file) => join(folder, 'src', file))
}

/** Whether a text loads a module: by `import`, `require` or `getBuiltinModule`. A name in backticks alone is a comment. */
function loads(module: string, text: string): boolean {
  const atRunTime = text.replaceAll(/^(?:import|export) type [^'"]*\bfrom ['"][^'"]*['"]/gm, '')
  return new RegExp(`(?:['"]|\\(\\s*\`)(?:node:)?${module}(?:/[^'"\`]*)?['"\`]`).test(atRunTime)
}

test.for(STARTERS)('programs are started in one place: %s is loaded by %s', ([module, door]) => {
  const users = folders
    .flatMap(shipped)
    .filter((file) => loads(module, readFileSync(join(root, file), 'utf8')))
  expect(users).toEqual(door === undefined ? [] : [door])
})

test.for([
  `import { spawn } from 'node:child_process'`,
  `import * as processes from "child_process"`,
  `import {\n  type ChildProcess,\n  spawn,\n} from 'node:child_process'`,
  `import type { ChildProcess } from 'node:child_process'\nimport { fork } from 'node:child_process'`,
  `const { spawn } = await import('node:child_process')`,
  `const { spawn } = process.getBuiltinModule('child_process')`,
  'const { spawn } = require(`node:child_process`)',
])('a start of a program in another place is noticed: %j', (text) => {
  expect(loads('child_process', text)).toBe(true)
  expect(loads('execa', text)).toBe(false)
})

/** The modules that send requests. Lint rejects the global `fetch` and `request` of `node:http` (`.oxlintrc.json`). */
test.for([
  ['node:https', 'packages/mcp-bridge/src/wire/fetch-answer.ts'],
  ['node:http2', undefined],
  ['node:tls', undefined],
  ['undici', undefined],
] as const)('requests are sent by one function: %s is loaded by %s', ([module, door]) => {
  const users = folders
    .flatMap(shipped)
    .filter((file) => loads(module, readFileSync(join(root, file), 'utf8')))
  expect(users).toEqual(door === undefined ? [] : [door])
})

test('an index lists explicit names and contains no code', () => {
  for (const name of packages) {
    const index = readFileSync(join(root, 'packages', name, 'src', 'index.ts'), 'utf8')
    const statements = index
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .split(/;|\n(?=export|import)/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== '')
    for (const statement of statements) {
      expect(statement, `packages/${name}/src/index.ts`).toMatch(/^export (type )?\{[^}]*\} from '/)
    }
  }
})

test.for(folders)('in %s no folder imports another one that imports it, on any path', (folder) => {
  expect(findFolderCycles(readSources(join(root, folder)))).toEqual([])
})

test.for(folders)('in %s no file imports another one that imports it, types included', (folder) => {
  expect(findFileCycles(readSources(join(root, folder)))).toEqual([])
})

/** The walks of docs/architecture.md, each with its numbered steps. */
const walks = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  .split('\n## Six walks\n')[1]
  ?.split('\n## ')[0]
  ?.split(/^\*\*/m)
  .slice(1)
  .map((text) => ({
    walk: text.slice(0, text.indexOf('**')),
    steps: text.split('\n').filter((line) => /^\d+\. /.test(line)),
  }))

test('docs/architecture.md has six walks', () => {
  expect(walks).toHaveLength(6)
})

test.for(walks ?? [])(
  '$walk has at most seven steps, and each names a file that exists',
  ({ steps }) => {
    expect(steps.length).toBeGreaterThan(2)
    expect(steps.length).toBeLessThanOrEqual(7)
    for (const step of steps) {
      const [, file = ''] = /^\d+\. `([^`]+)`/.exec(step) ?? []
      expect(existsSync(join(root, file)), step).toBe(true)
    }
  },
)

test('docs/architecture.md is at most two pages', () => {
  expect(readFileSync(join(root, 'docs/architecture.md'), 'utf8').split(/\s+/).length).toBeLessThan(
    1800,
  )
})

test('no source file is longer than 400 lines', () => {
  for (const file of folders.flatMap(sources)) {
    expect(readFileSync(file, 'utf8').split('\n').length, file).toBeLessThanOrEqual(401)
  }
})

/** Files that write, and why each may: one writer for every file that a folder or a person names, otherwise only into a new temporary folder. */
const WRITERS = [
  // In the app.
  'apps/reference-host/src/demo/import-older.ts',
  'apps/reference-host/src/demo/make-demo-workspace.ts',
  'apps/reference-host/src/process/open-in-browser.ts',
  'apps/reference-host/src/workspace/files/write-file.ts',
  // The store's own file, a copy of a database to import, the text for an editor.
  'packages/session-import/src/sources/sqlite-source.ts',
  'packages/inquiry/src/editor/create-editor-answers.ts',
]

const WRITES =
  /\b(?:writeFile|appendFile|copyFile|rename|createWriteStream|truncate|symlink|link|cp)(?:Sync)?\(/

test('files are written in one place, which follows no link of a folder', () => {
  const writers = folders
    .flatMap(sources)
    .filter((file) => /from 'node:fs(?:\/promises)?'/.test(readFileSync(file, 'utf8')))
    .filter((file) => WRITES.test(readFileSync(file, 'utf8')))
  expect(writers.map((file) => relative(root, file)).toSorted()).toEqual(WRITERS.toSorted())
})

/** These commands read a configuration to show it, to write it or to complete words. They start, reach and open nothing of it. */
const READERS = [
  'cli/approvals/approvals.ts',
  'cli/complete-words.ts',
  'cli/mcp/add-server.ts',
  'cli/serve-tokens/serve-tokens.ts',
  'cli/setup/initialize-workspace.ts',
  'cli/setup/new-tool.ts',
  'cli/setup/show-configuration.ts',
  'cli/setup/trust-folder.ts',
  'workspace/open-workspace.ts',
]

test('commands receive a configuration without entries that wait for agreement', () => {
  const app = 'apps/reference-host'
  const readers = sources(app)
    .filter((file) => !file.includes('/configuration/'))
    .filter((file) => /\b(?:load|parse)Configuration\b/.test(readFileSync(file, 'utf8')))
  expect(readers.map((file) => relative(join(root, app, 'src'), file)).toSorted()).toEqual(READERS)
})
