import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, toolblocks, visit, withoutTrust } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'
import { NOTES, NOTES_TABLE } from '../stage/notes-server.ts'

/** Says which values two variables have. */
const SAYS_VARIABLES = createServerProgram(
  [{ name: 'variables', inputSchema: { type: 'object' } }],
  'return { content: [{ type: "text", text: `A=${process.env.A} SAYS_KEY=${process.env.SAYS_KEY}` }] }',
)

test('promise servers: the tools of a server are listed as server__tool, with their source', async () => {
  const folder = makeFolder({ 'toolblocks.toml': `${NOTES_TABLE}run = "deny"\n` })
  const { stdout, stderr, code } = await toolblocks(folder, 'tools', '--trust', '--output', 'json')
  expect([stderr, code]).toEqual(['', 0])
  const tools: unknown = JSON.parse(stdout)
  expect(tools).toMatchObject([
    {
      name: 'notes__read',
      description: 'Reads a note.',
      source: 'mcp.notes.read',
      policy: 'deny',
      origins: { description: 'server', inputSchema: 'server' },
    },
    { name: 'notes__sign' },
    { name: 'notes__list' },
    { name: 'notes__folder' },
  ])
})

test.for([
  ['--', NOTES.command, ...NOTES.args],
  ['--protocol-version', '2025-11-25', '--', NOTES.command, ...NOTES.args],
])('promise servers: mcp add accepts -- before the command of a server: %j', async (args) => {
  const folder = makeFolder({})
  const added = await toolblocks(folder, 'mcp', 'add', 'notes', ...args)
  expect([added.code, added.stderr]).toEqual([0, ''])
  expect(await toolblocks(folder, 'call', 'notes__folder')).toMatchObject({ code: 0 })
  const file = readFileSync(join(folder, 'toolblocks.toml'), 'utf8')
  expect(file.includes('protocol_version = "2025-11-25"')).toBe(args.length > 4)
  expect(file).not.toContain('"--"')
})

test('promise servers: mcp add --env gives the program variables, by value and by name', async () => {
  const folder = makeFolder({ [SERVER_FILE]: SAYS_VARIABLES })
  const args = ['--env', 'A=b', '--env', 'SAYS_KEY', '--', process.execPath, SERVER_FILE]
  const added = await toolblocks(folder, 'mcp', 'add', 'says', ...args)
  expect([added.code, added.stderr]).toEqual([0, ''])
  const environment = { ...process.env, SAYS_KEY: 'not-shown-in-the-file' }
  const called = await run(folder, ['call', 'says__variables'], environment)
  expect(called.stdout).toContain('A=b SAYS_KEY=not-shown-in-the-file')
  expect(readFileSync(join(folder, 'toolblocks.toml'), 'utf8')).toContain(
    'env = { A = "b", SAYS_KEY = "${SAYS_KEY}" }',
  )
  for (const wrong of [
    ['--env', '1=b', 'x', 'npx'],
    ['--env', 'A', '--url', 'https://x.example', 'x'],
    ['--env', 'A', '--from', 'cursor', 'x'],
  ]) {
    const refused = await toolblocks(folder, 'mcp', 'add', ...wrong)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--env')])
  }
})

test('promise servers: mcp add keeps a -- that belongs to the command, and refuses other words before the first one', async () => {
  const folder = makeFolder({})
  await toolblocks(folder, 'mcp', 'add', 'a', 'npx', 'pkg', '--', '-v')
  await toolblocks(folder, 'mcp', 'add', 'b', '--', 'npx', 'pkg', '--', '-v')
  const file = readFileSync(join(folder, 'toolblocks.toml'), 'utf8')
  expect(file.match(/args = \["pkg", "--", "-v"\]/g)).toHaveLength(2)
  for (const args of [
    ['--unknown', 'A=b', '--', 'npx'],
    ['--'],
    ['--url', 'https://x.example', '--', 'npx'],
  ]) {
    const refused = await toolblocks(folder, 'mcp', 'add', 'c', ...args)
    expect([refused.code, refused.stdout]).toEqual([2, ''])
  }
  expect(readFileSync(join(folder, 'toolblocks.toml'), 'utf8')).toBe(file)
})

test("promise servers: a call of a server's tool starts only that server, in the workspace, and prints the result unchanged", async () => {
  const other = join(makeFolder({}), 'started')
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}[mcp.servers.other]\ncommand = "touch"\nargs = [${JSON.stringify(other)}]\n`,
  })
  const read = await toolblocks(
    folder,
    'call',
    'notes__read',
    '--arg',
    'path=a.md',
    '--output',
    'json',
  )
  expect(read.code).toBe(0)
  expect(JSON.parse(read.stdout)).toMatchObject({
    content: [
      {
        type: 'resource',
        resource: { uri: 'file:///notes/a.md', text: 'All of it.' },
        annotations: { priority: 0.5 },
      },
    ],
    isError: false,
  })
  const where = await toolblocks(folder, 'call', 'notes__folder')
  expect(where.stdout).toContain(folder)
  expect(() => readFileSync(other)).toThrow('ENOENT')
})

test('promise servers: no server is started or reached without agreement', async () => {
  const pid = join(makeFolder({}), 'pid')
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}env = { PID_FILE = ${JSON.stringify(pid)} }\n`,
  })
  const listed = await withoutTrust(folder, 'tools')
  expect(listed.code).toBe(3)
  expect(listed.stderr).toContain('the server notes: not available, because you have not agreed')
  const listing = await withoutTrust(folder, 'trust')
  expect(listing.stderr).toContain(`server notes: ${NOTES.command}`)
  expect(listing.stderr).toContain(`PID_FILE is ${pid}`)
  expect(() => readFileSync(pid)).toThrow('ENOENT')
})

test('promise servers: no server remains after the command has ended', async () => {
  const pid = join(makeFolder({}), 'pid')
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}env = { PID_FILE = ${JSON.stringify(pid)} }\n`,
  })
  const called = await toolblocks(folder, 'call', 'notes__folder')
  expect(called.code).toBe(0)
  expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH')
})

test('promise servers: while a server is silent, Ctrl-C ends any command and the server at once', async () => {
  const pids = makeFolder({})
  // It presses Ctrl-C itself as soon as it runs.
  const silent = `require('node:fs').writeFileSync(require('node:path').join(process.argv[1], String(process.pid)), '')
    process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.kill(process.ppid, 'SIGINT')`
  const folder = makeFolder({
    'toolblocks.toml': `[mcp.servers.mute]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(['-e', silent, pids])}\n`,
  })
  const commands = ['tools --trust', 'call mute__x', 'serve --trust', 'mcp list --trust']
  const ran = await Promise.all(
    commands.map(async (command) => await toolblocks(folder, ...command.split(' '))),
  )
  expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(commands.map(() => [130, '']))
  const started = readdirSync(pids).filter((name) => /^\d+$/.test(name))
  expect(started).toHaveLength(commands.length)
  for (const pid of started) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
})

test('promise servers: a server that cannot be started is reported with a correction, and the other servers continue', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}[mcp.servers.gone]\ncommand = "not-there-at-all"\n[mcp.servers.odd]\nurl = "$\{NOT_SET_ANYWHERE}"\n`,
  })
  const { stdout, stderr, code } = await toolblocks(folder, 'tools', '--trust')
  expect(code).toBe(1)
  expect(stdout).toContain('notes__read')
  expect(stderr).toContain('toolblocks.toml:4: mcp.servers.gone: MCP server "gone" could not be')
  expect(stderr).toContain('mcp.servers.odd: url: The variable NOT_SET_ANYWHERE is not set')
})

test('promise servers: a .mcp.json beside the configuration is read, and a table with the same name takes precedence', async () => {
  const mcpServers = {
    notes: { command: 'not-there-at-all' },
    more: NOTES,
    bad: { command: 1 },
    worse: 1,
  }
  const folder = makeFolder({
    'toolblocks.toml': NOTES_TABLE,
    '.mcp.json': JSON.stringify({ mcpServers }),
  })
  const { stdout, stderr } = await toolblocks(folder, 'tools', '--trust')
  expect(stdout).toContain('notes__read')
  expect(stdout).toContain('more__read')
  expect(stderr).toContain(`${join(folder, '.mcp.json')}: mcpServers.bad: `)
  expect(stderr).toContain(`${join(folder, '.mcp.json')}: mcpServers.worse: expected an object`)
})

test('promise servers: a table selects one tool of a server, changes its texts, and replaces its long name', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}[tools.look]\nsource = "mcp.notes.read"\nsummary = "Look."\nrun = "unattended"\nparameters = { path = { summary = "Which." } }\n[tools.lost]\nsource = "mcp.notes.raed"\n[tools.astray]\nsource = "mcp.nots.read"\n`,
  })
  const { stdout, stderr, code } = await toolblocks(folder, 'tools', '--trust')
  expect(code).toBe(1)
  expect(stdout).toContain(
    'look  run: unattended\n  Look.\n  --arg path= (string, required) Which.',
  )
  expect(stdout).not.toContain('notes__read')
  expect(stderr).toContain(
    'has no tool "raed"; did you mean "read"? It has read, sign, list, folder',
  )
  expect(stderr).toContain('no server "nots" is configured; did you mean "notes"? There is notes')
  const called = await toolblocks(folder, 'call', 'look', '--arg', 'path=b.md')
  expect([called.code, called.stderr]).toEqual([0, ''])
  expect(called.stdout).toContain('All of it.')
})

test('promise servers: a default of a table is shown, and sent to the server if the call omits the argument', async () => {
  const folder = makeFolder({
    'toolblocks.toml': `${NOTES_TABLE}[tools.look]\nsource = "mcp.notes.read"\nparameters = { path = { default = "today.md" } }\n`,
  })
  const { stdout } = await toolblocks(folder, 'tools', '--trust')
  expect(stdout).toContain('today.md')
  const left = await toolblocks(folder, 'call', 'look', '--output', 'json')
  const passed = await toolblocks(folder, 'call', 'look', '--arg', 'path=b.md', '--output', 'json')
  const uris = [left, passed].map((ran) => JSON.parse(ran.stdout).content[0].resource.uri)
  expect(uris).toEqual(['file:///notes/today.md', 'file:///notes/b.md'])
})

test('promise servers: questions of a server during a call are answered at the terminal or by --answer', async () => {
  const folder = makeFolder({ 'toolblocks.toml': NOTES_TABLE })
  const { written, code } = await visit(
    folder,
    ['call', 'notes__sign'],
    [
      [/Who signs\?[^]*name/, 'Ada\r'],
      [/Send this/, '\r'],
    ],
  )
  expect(code).toBe(0)
  expect(written).toContain('{"action":"accept","content":{"name":"Ada"}}')
  const typed = ['--answer', 'elicitation={"name":"Bob"}']
  const answered = await toolblocks(folder, 'call', 'notes__sign', ...typed)
  expect(answered.stdout).toContain('{"action":"accept","content":{"name":"Bob"}}')
  const wrong = await toolblocks(folder, 'call', 'notes__sign', '--answer', 'elicitation=Bob')
  expect(wrong.code).toBe(2)
})

test('promise servers: a pinned tool whose description on the server changed is omitted', async () => {
  const table = `${NOTES_TABLE}pin = true\n`
  const folder = makeFolder({ 'toolblocks.toml': `${table}env = { SAYS = "One." }\n` })
  await toolblocks(folder, 'tools', '--trust')
  const changed = join(folder, 'toolblocks.toml')
  writeFileSync(changed, `${table}env = { SAYS = "Another." }\n`)
  const { stderr, code } = await toolblocks(folder, 'call', 'notes__read', '--arg', 'path=a')
  expect(code).toBe(3)
  expect(stderr).toContain('pinned, and its description differs from the recorded one')
  const { code: other } = await toolblocks(folder, 'call', 'notes__folder')
  expect(other).toBe(0)
})

test('promise servers: the error for an unknown tool of a server suggests an existing tool', async () => {
  const folder = makeFolder({ 'toolblocks.toml': NOTES_TABLE })
  const { stderr, code } = await toolblocks(folder, 'call', 'notes__reed')
  expect(code).toBe(2)
  expect(stderr).toContain('did you mean "notes__read"?')
})

test.for([
  ['', []],
  ['links = { mode = "lazy" }\n', []],
  ['links = { mode = "preview" }\n', [2048, 2048]],
  ['links = { mode = "inline" }\n', [3017, 3017]],
  ['links = { mode = "inline", max_links = 1 }\n', [3017]],
  ['links = { mode = "inline", max_bytes = 3000 }\n', []],
  ['links = { mode = "inline", max_total_bytes = 4000 }\n', [3017]],
] as const)(
  'promise servers: the table decides which linked resources are read: %j reads %j',
  async ([links, read]) => {
    const folder = makeFolder({ 'toolblocks.toml': `${NOTES_TABLE}${links}` })
    const { stdout } = await toolblocks(folder, 'call', 'notes__list', '--output', 'json')
    const { content } = JSON.parse(stdout) as {
      content: { type: string; resource?: { text: string } }[]
    }
    expect(content.filter(({ type }) => type === 'resource_link')).toHaveLength(2)
    expect(content.flatMap(({ resource }) => resource?.text.length ?? [])).toEqual(read)
  },
)

test('promise servers: the error for a misspelt setting of links suggests the right one', async () => {
  const folder = makeFolder({ 'toolblocks.toml': `${NOTES_TABLE}links = { mod = "inline" }\n` })
  const { stderr, code } = await toolblocks(folder, 'tools')
  expect(code).toBe(2)
  expect(stderr).toContain('mcp.servers.notes.links.mod')
  expect(stderr).toContain('did you mean "mode"?')
})

test.for([
  ['', /^Resource .*a\.md:/],
  ['[format]\nresource_header = "none"\n', /^```/],
] as const)(
  'promise servers: the line above a resource for a model has the format %j',
  async ([format, begins]) => {
    const folder = makeFolder({ 'toolblocks.toml': `${format}${NOTES_TABLE}` })
    const args = ['call', 'notes__read', '--arg', 'path=a.md', '--model-view']
    expect((await toolblocks(folder, ...args)).stdout).toMatch(begins)
  },
)

test.for([
  ['', 1],
  ['structured = "both"\n', 2],
] as const)(
  'promise servers: structured content reaches a model in the format %j',
  async ([structured, times]) => {
    const result = { content: [{ type: 'text', text: '{"n":1}' }], structuredContent: { n: 1 } }
    const tool = `[tools.count]\nsource = "local"\ncommand = ["echo", ${JSON.stringify(JSON.stringify(result))}]\nparameters = {}\n`
    const folder = makeFolder({ 'toolblocks.toml': `[format]\n${structured}${tool}` })
    const { stdout } = await toolblocks(folder, 'call', 'count', '--model-view')
    expect(stdout.match(/\{"n":1\}/g)).toHaveLength(times)
  },
)
