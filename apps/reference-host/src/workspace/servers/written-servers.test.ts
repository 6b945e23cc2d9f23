import { nameTools } from '@toolblocks/mcp-bridge/internal/names'
import { expect, test } from 'vitest'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { workspace } from './workspace.support.ts'
import { readServer } from './open-servers.ts'
import { type WrittenServer, readWrittenServers, selectServers } from './written-servers.ts'

test('call settings in tables of tools go to their server, in either file', async () => {
  const folder = workspace({
    'toolblocks.toml': `[mcp.servers.own]
command = "x"
[tools.look]
source = "mcp.own.read"
timeout_secs = 1.5
[tools.research]
source = "mcp.beside.research"
stateful = true
`,
    '.mcp.json': '{"mcpServers":{"beside":{"command":"y"}}}',
  })
  const loaded = await loadConfiguration(folder, undefined)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { servers } = await readWrittenServers(loaded.configuration)
  const read = servers.map((server) => readServer(server, { root: folder, environment: {} }))
  expect(read).toMatchObject([
    { ok: true, config: { name: 'own', tools: { read: { timeoutMs: 1500 } } } },
    { ok: true, config: { name: 'beside', tools: { research: { stateful: true } } } },
  ])
})

/** Returns the servers and warnings of a folder with these files. */
async function written(
  toml: string,
  beside?: string,
): Promise<Awaited<ReturnType<typeof readWrittenServers>> & { folder: string }> {
  const files = { 'toolblocks.toml': toml, ...(beside !== undefined && { '.mcp.json': beside }) }
  const folder = workspace(files)
  const loaded = await loadConfiguration(folder, undefined)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return { ...(await readWrittenServers(loaded.configuration)), folder }
}

test('a table of the configuration replaces the one in the file beside it, and a disabled server is not listed', async () => {
  const beside = {
    mcpServers: {
      own: { command: 'never' },
      more: { url: 'https://a.example' },
      off: { command: 'never', disabled: true },
      on: { command: 'z', disabled: false },
    },
  }
  const { servers, warnings, folder } = await written(
    '[mcp.servers.own]\ncommand = "x"\nrun = "unattended"\npin = false\ntimeout_secs = 1.5\nconnect_timeout_secs = 2\n[mcp.servers.bare]\ncommand = "w"\n[mcp.servers.gone]\ncommand = "y"\ndisabled = true\n',
    JSON.stringify(beside),
  )
  expect(warnings).toEqual([])
  expect(servers).toStrictEqual([
    {
      name: 'own',
      file: `${folder}/toolblocks.toml`,
      own: { run: 'unattended', pin: false },
      tools: {},
      waiting: [],
      table: { command: 'x', timeout_ms: 1500, connect_timeout_ms: 2000 },
    },
    {
      name: 'bare',
      file: `${folder}/toolblocks.toml`,
      own: {},
      tools: {},
      waiting: [],
      table: { command: 'w' },
    },
    {
      name: 'more',
      file: `${folder}/.mcp.json`,
      own: {},
      tools: {},
      waiting: [],
      table: { url: 'https://a.example' },
    },
    {
      name: 'on',
      file: `${folder}/.mcp.json`,
      own: {},
      tools: {},
      waiting: [],
      table: { command: 'z', disabled: false },
    },
  ])
})

test('tables of tools say which tools of a server are long or stateful, by the server’s names', async () => {
  const table = (name: string, source: string, more: string): string =>
    `[tools.${name}]\nsource = "mcp.${source}"\n${more}\n`
  const { servers } = await written(
    `[mcp.servers.s]\ncommand = "x"\n${[
      table('a', 's.x.y', 'stateful = true\ntimeout_secs = 3'),
      table('b', 's.short', 'timeout_secs = 0.5'),
      table('c', 's.not', 'stateful = false\ntimeout_secs = 3'),
      table('d', 's.plain', 'run = "ask"'),
      table('e', 'other.z', 'timeout_secs = 3'),
      table('f', 's.live', 'stateful = true'),
    ].join('')}`,
  )
  expect(servers.map(({ tools }) => tools)).toStrictEqual([
    {
      'x.y': { stateful: true, timeoutMs: 3000 },
      short: { timeoutMs: 500 },
      live: { stateful: true },
    },
  ])
})

test('without a file beside it, only the servers of the configuration exist', async () => {
  expect(await written('')).toMatchObject({ servers: [], warnings: [] })
})

const SHAPE = 'expected {"mcpServers": {…}} with a server under each name; the file is ignored'

test.for<[string, string, string]>([
  ['[]', '', SHAPE],
  ['{}', '', SHAPE],
  ['{"mcpServers":[]}', '', SHAPE],
  [
    '{"mcpServers":{"a":1}}',
    'mcpServers.a',
    'expected an object with "command" or "url"; it was ignored',
  ],
])(
  'of %s beside the configuration, an error is reported at %s: %s',
  async ([beside, key, message]) => {
    const { servers, warnings, folder } = await written('', beside)
    expect([servers, warnings]).toEqual([[], [{ file: `${folder}/.mcp.json`, key, message }]])
  },
)

test('invalid JSON beside the configuration is reported, and none of it is used', async () => {
  const { servers, warnings } = await written('', '{')
  expect(servers).toEqual([])
  expect(warnings).toMatchObject([
    { key: '', message: expect.stringMatching(/JSON.*; the file is ignored$/) },
  ])
})

test('a server is read with its variables, in a folder of the workspace; its errors are one line', () => {
  const server = (
    table: Parameters<typeof readServer>[0]['table'],
  ): ReturnType<typeof readServer> =>
    readServer(
      { name: 's', file: 'f', own: {}, tools: {}, waiting: [], table },
      { root: '/w', environment: { A: 'value' } },
    )
  expect(server({ command: 'x', args: ['${A}'] })).toMatchObject({
    ok: true,
    config: { name: 's', transport: { kind: 'stdio', args: ['value'], cwd: '/w' } },
  })
  expect(server({ command: 'x', cwd: 'sub' })).toMatchObject({
    config: { transport: { cwd: '/w/sub' } },
  })
  const plain = server({ command: 'x' })
  expect(plain.ok && Object.hasOwn(plain.config, 'tools')).toBe(false)
  const remote = server({ url: 'https://a.example' })
  expect(remote.ok && remote.config.transport).toMatchObject({ kind: 'http' })
  expect(remote.ok && remote.config.transport).not.toHaveProperty('cwd')
  const missing = server({ command: 'x', args: ['${MISSING}'] })
  expect(missing).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^args\.0: .*MISSING/),
  })
  expect(server({})).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^[^:]+ "?command/),
  })
})

const servers = ['notes', 'notes_old', 'far off'].map((name): WrittenServer => ({
  name,
  table: {},
  own: {},
  tools: {},
  waiting: [],
  file: 'toolblocks.toml',
}))

const configuration = {
  tools: { notes__local: { source: 'local', command: 'cat' } },
  mcp: {
    servers: {},
    tools: { look: { source: 'mcp.notes.read', server: 'notes', tool: 'read' } },
  },
}

const wanted = (named?: readonly string[]): unknown =>
  selectServers(servers, configuration, named).map(({ name }) => name)

test('every server is used if no tool is named', () => {
  expect(wanted()).toEqual(['notes', 'notes_old', 'far off'])
})

test.for<[string, unknown]>([
  ['notes__read', ['notes']],
  ['notes_old__read', ['notes_old']],
  ['look', ['notes']],
  ['notes__local', []],
  ['read', []],
])('%s uses %j', ([tool, expected]) => {
  expect(wanted([tool])).toEqual(expected)
})

test('a server whose name is changed in its tools is named only by that form', () => {
  const [name = ''] = nameTools('far off', ['read']).values()
  expect(wanted([name])).toEqual(['far off'])
  expect(wanted(['far_off_1a2b3c__read'])).toEqual([])
})
