import { splitTools, findFileUser, findForeignPath } from './parse-configuration.ts'
import {
  realpathSync,
  mkdtempSync,
  mkdirSync,
  writeFileSync,
  rmSync,
  chmodSync,
  chownSync,
} from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { loadConfiguration } from './load-configuration.ts'
import { describeProblem } from './configuration.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

test('a source names the server of a tool; the tool’s name may have dots', () => {
  const { mcp, local, problems } = splitTools({
    find: { source: 'mcp.tracker.issues.search', run: 'deny' },
    read: { source: 'local', command: 'cat' },
  })
  expect(problems).toEqual([])
  expect(mcp).toEqual({
    find: {
      source: 'mcp.tracker.issues.search',
      run: 'deny',
      server: 'tracker',
      tool: 'issues.search',
    },
  })
  expect(Object.keys(local)).toEqual(['read'])
})

test('keys that only an executable can have are refused for a tool of a server, and a missing command is reported', () => {
  const { problems } = splitTools({
    find: { source: 'mcp.tracker.search', command: 'cat', pty: true },
    read: { source: 'local' },
  })
  const means =
    'has no meaning for a tool of an MCP server; expected source, title, summary, description, examples, run, deduplicate, defer, pin, questions, questions_expire_secs, parameters, stateful, on_turn_end, timeout_secs, select, fixed, hidden'
  expect(problems).toEqual([
    { path: ['tools', 'find', 'command'], message: means },
    { path: ['tools', 'find', 'pty'], message: means },
    { path: ['tools', 'read', 'command'], message: 'is required and missing; expected a value' },
  ])
})

test('all keys for a tool of a server are accepted', () => {
  const table = {
    source: 'mcp.s.t',
    title: 'T',
    summary: 'S',
    description: 'D',
    examples: 'E',
    run: 'ask' as const,
    deduplicate: true,
    pin: true,
    questions: {},
    parameters: {},
    stateful: true,
    select: ['a'],
    fixed: { a: 1 },
    hidden: ['b'],
    on_turn_end: 'keep' as const,
    timeout_secs: 1,
  }
  expect(splitTools({ a: table })).toEqual({
    local: {},
    mcp: { a: { ...table, server: 's', tool: 't' } },
    problems: [],
  })
})

test.for(['mcp.files', 'mcp..a', 'mcp.a.', 'xmcp.a.b', 'mcp', 'MCP.a.b'])(
  'the source %s does not name a tool of a server',
  (source) => {
    const { local, mcp } = splitTools({ a: { source, command: 'x' } })
    expect([local, mcp]).toEqual([{ a: { source, command: 'x' } }, {}])
  },
)

let base: string

let file: string

let below: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-ownership-')))
  file = join(base, 'toolblocks.toml')
  below = join(base, 'a/b')
  mkdirSync(below, { recursive: true })
  writeFileSync(file, '')
  vi.stubEnv('XDG_CONFIG_HOME', join(base, 'own'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(base, { recursive: true })
})

const user = findFileUser({})

const find = () => findForeignPath(file, { from: below, user })

test('files of the user and of root are accepted', () => {
  expect(find()).toBeUndefined()
  expect(findForeignPath(join(base, 'not-there.toml'), { user })).toBeUndefined()
})

test.for([
  ['the file', () => file, 0o666],
  ['its folder', () => base, 0o777],
  ['a folder that was climbed through', () => join(base, 'a'), 0o757],
  ['the folder where the search began', () => below, 0o777],
] as const)('%s must not be writable by everybody', ([, path, mode]) => {
  chmodSync(path(), mode)
  expect(find()).toEqual({ path: path(), reason: 'may be written by every user of this machine' })
})

test('a folder in which only the owner of a file can replace it may be writable by everybody', () => {
  chmodSync(base, 0o1777)
  expect(find()).toBeUndefined()
})

test('files beside the path are not checked', () => {
  mkdirSync(join(base, 'c'))
  chmodSync(join(base, 'c'), 0o777)
  expect(find()).toBeUndefined()
})

test('folders above a given file are not checked', () => {
  chmodSync(join(base, 'a'), 0o777)
  expect(findForeignPath(file, { user })).toBeUndefined()
})

// Only root can change the owner of a file.
describe.runIf(process.getuid?.() === 0)('owned by another user', () => {
  const OTHER = 54_321

  test.for([
    ['the file', () => file],
    ['its folder', () => base],
    ['a folder that was climbed through', () => join(base, 'a')],
  ] as const)('%s is refused', ([, path]) => {
    chownSync(path(), OTHER, OTHER)
    expect(find()).toEqual({ path: path(), reason: `belongs to the user with the number ${OTHER}` })
  })

  test('a file of the person who typed sudo is accepted by root', () => {
    chownSync(file, OTHER, OTHER)
    const typedBy = findFileUser({ SUDO_UID: String(OTHER) })
    expect(findForeignPath(file, { user: typedBy })).toBeUndefined()
    expect(findForeignPath(file, { user: findFileUser({ SUDO_UID: 'x' }) })).toBeDefined()
  })
})

test('on systems without file owners nothing is refused', () => {
  chmodSync(file, 0o666)
  expect(findForeignPath(file, { user: undefined })).toBeUndefined()
})

describe('a configuration that another user could have written', () => {
  const problem = async (): Promise<string> => {
    const loaded = await loadConfiguration(below)
    return loaded.ok ? '' : loaded.problems.map(describeProblem).join('\n')
  }

  test('is not read, and the message says how the user accepts it', async () => {
    chmodSync(file, 0o666)
    const settings = join(base, 'own/toolblocks/config.toml')
    expect(await problem()).toBe(
      `${file}: ${file} may be written by every user of this machine, so ${file} is not read; if you trust everyone who can write it, add this to ${settings}: safe_folders = [${JSON.stringify(base)}]`,
    )
    mkdirSync(join(base, 'own/toolblocks'), { recursive: true })
    writeFileSync(settings, `safe_folders = [${JSON.stringify(base)}]\n`)
    expect(await problem()).toBe('')
    writeFileSync(settings, `safe_folders = [${JSON.stringify(join(base, 'a'))}]\n`)
    expect(await problem()).toContain('is not read')
  })

  test('is not read if the settings have an error', async () => {
    chmodSync(file, 0o666)
    mkdirSync(join(base, 'own/toolblocks'), { recursive: true })
    const settings = join(base, 'own/toolblocks/config.toml')
    writeFileSync(settings, '\nsafe_folder = []\n')
    expect(await problem()).toBe(
      `${settings}:2: safe_folder: is not a known key; did you mean "safe_folders"? Expected model, store, approvals, theme, prices, safe_folders`,
    )
  })
})
