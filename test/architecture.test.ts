import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Every arrow between our packages. A new arrow is a decision: it is made here first. */
const arrows: Record<string, readonly string[]> = {
  protocol: [],
  'media-type': [],
  'schema-check': ['protocol'],
  parser: ['media-type', 'protocol'],
  formatter: ['media-type', 'protocol'],
  renderer: ['media-type', 'protocol'],
  inquiry: ['protocol', 'schema-check'],
  'local-executor': ['parser', 'protocol'],
  'mcp-bridge': ['parser', 'protocol', 'schema-check'],
  'tool-sdk': ['media-type', 'protocol', 'schema-check'],
  'tool-executor': ['inquiry', 'protocol', 'schema-check'],
  'conversation-store': ['parser', 'protocol'],
}

/** The only packages whose sources may import a library. */
const doors: Record<string, readonly string[]> = {
  typebox: ['protocol', 'tool-sdk'],
  ajv: ['schema-check'],
  'ajv-formats': ['schema-check'],
  re2js: ['schema-check'],
  '@eslint-community/regexpp': ['schema-check'],
  'mime-db': ['media-type'],
  execa: ['local-executor'],
  shlex: ['local-executor'],
  '@lydell/node-pty': ['local-executor'],
  '@xterm/headless': ['local-executor'],
  '@clack/prompts': ['inquiry'],
  'fast-string-width': ['renderer'],
  'jsonc-parser': ['inquiry'],
  '@modelcontextprotocol/sdk': ['mcp-bridge'],
}

interface Manifest {
  name: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

function runtimeDependencies(folder: string): string[] {
  const { dependencies, peerDependencies } = manifest(folder)
  return Object.keys({ ...dependencies, ...peerDependencies })
}

const packages = readdirSync(join(root, 'packages')).filter((name) =>
  existsSync(join(root, 'packages', name, 'package.json')),
)

function sources(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|bench|suite)\.ts$/.test(file))
    .map((file) => join(root, folder, 'src', file))
}

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import '|(?:import|export|\}).*\bfrom ')([^']+)'/gm)
  const expressions = text.matchAll(/\bimport\('([^']+)'\)/g)
  return [...statements, ...expressions].map(([, specifier]) => specifier as string)
}

test('every package is in the table of arrows and is named after its folder', () => {
  for (const name of packages) {
    expect(Object.keys(arrows)).toContain(name)
    expect(manifest(join('packages', name)).name).toBe(`@toolblocks/${name}`)
  }
})

test.for(packages)('%s depends on its siblings only along the allowed arrows', (name) => {
  const siblings = runtimeDependencies(join('packages', name))
    .filter((dependency) => dependency.startsWith('@toolblocks/'))
    .map((dependency) => dependency.replace('@toolblocks/', ''))
  for (const sibling of siblings) expect(arrows[name]).toContain(sibling)
})

test.for(packages)('%s imports only what its manifest names, and nothing of the app', (name) => {
  const folder = join('packages', name)
  const known = new Set([...runtimeDependencies(folder), manifest(folder).name])
  for (const file of sources(folder)) {
    for (const specifier of imports(file)) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue
      const library = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
      expect(known, `${file} imports ${specifier}`).toContain(library)
    }
  }
})

test('a third-party library enters by one door', () => {
  for (const [library, allowed] of Object.entries(doors)) {
    const users = packages.filter((name) =>
      sources(join('packages', name)).some((file) =>
        imports(file).some(
          (specifier) => specifier === library || specifier.startsWith(`${library}/`),
        ),
      ),
    )
    for (const user of users) expect(allowed, `${user} imports ${library}`).toContain(user)
  }
})

test('execa enters by one file', () => {
  const users = sources('packages/local-executor').filter((file) => imports(file).includes('execa'))
  expect(users.length).toBeLessThanOrEqual(1)
})

test('prompts are opened by one file, which takes text for the terminal only', () => {
  const users = sources('packages/inquiry').filter((file) =>
    imports(file).includes('@clack/prompts'),
  )
  expect(users).toEqual([join(root, 'packages/inquiry/src/terminal/prompts/prompts.ts')])
})

test('an index lists explicit names and holds no code', () => {
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

test('no file of source is longer than 250 lines', () => {
  const folders = [...packages.map((name) => join('packages', name)), 'apps/reference-host']
  for (const file of folders.flatMap(sources)) {
    expect(readFileSync(file, 'utf8').split('\n').length, file).toBeLessThanOrEqual(251)
  }
})
