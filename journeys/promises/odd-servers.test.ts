import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE, SERVERS } from '../stage/mcp-server.ts'

test('promise odd servers: a byte order mark before the first message of a server does not hide the message', async () => {
  const look = { name: 'look', inputSchema: { type: 'object' } }
  const program = createServerProgram(
    [look],
    'return { content: [{ type: "text", text: "seen" }] }',
  )
  const folder = makeFolder({
    [SERVER_FILE]: `process.stdout.write('\\uFEFF')\n${program}`,
    '.mcp.json': SERVERS,
    'toolblocks.toml': '',
  })
  const { code, stdout } = await toolblocks(folder, 'call', 'notes__look')
  expect([code, stdout]).toEqual([0, expect.stringContaining('seen')])
})

test('promise odd servers: a server that answers with the id as a text is named as the cause at once', async () => {
  const program = `import { createInterface } from 'node:readline'
for await (const line of createInterface(process.stdin)) {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: String(id), result: { method } }))
}
`
  const folder = makeFolder({ [SERVER_FILE]: program, '.mcp.json': SERVERS, 'toolblocks.toml': '' })
  const { stdout, stderr } = await toolblocks(folder, 'mcp', 'list')
  expect(stdout + stderr).toContain('a string instead of the number')
  expect(stdout + stderr).not.toContain('did not answer')
})

/** A server whose answers are written by hand. `answer` is a function of `id`, `method` and `params` that returns the text of an answer, or prints itself. */
function createRawServer(answer: string): string {
  return `import { createInterface } from 'node:readline'
const respond = (id, result) => JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n'
const RESULTS = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
  'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'seen' }] },
}
const answer = (id, method, params, usual) => { ${answer} }
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line)
  const text = answer(id, method, params, id === undefined ? '' : respond(id, RESULTS[method]))
  if (text) process.stdout.write(text)
}
`
}

function makeRawFolder(answer: string, settings = ''): string {
  return makeFolder({
    [SERVER_FILE]: createRawServer(answer),
    'toolblocks.toml': `[mcp.servers.notes]
command = ${JSON.stringify(process.execPath)}
args = ["${SERVER_FILE}"]
run = "unattended"
${settings}`,
  })
}

test.for<[string, string, string]>([
  [
    'the id 999',
    'return method === "tools/call" ? respond(999, { content: [] }) : usual',
    'answered with the id 999, which no request has',
  ],
  [
    'the id null',
    'return method === "tools/call" ? respond(null, { content: [] }) : usual',
    'answered with the id null, which no request has',
  ],
  [
    'broken JSON',
    'return method === "tools/call" ? usual.slice(0, -3) + "\\n" : usual',
    'answered with a line that is not valid JSON',
  ],
  [
    'a message in several lines',
    'return method === "tools/call" ? JSON.stringify(JSON.parse(usual), undefined, 2) + "\\n" : usual',
    'wrote its answer in several lines',
  ],
  [
    'a message without the end of its line',
    'return method === "tools/call" ? usual.trim() : usual',
    'did not end the line of its answer',
  ],
])(
  'promise odd servers: a call that is answered with %s ends at once with the line',
  async ([, answer, reason]) => {
    const { code, stdout } = await toolblocks(makeRawFolder(answer), 'call', 'notes__look')
    expect(code).toBe(1)
    expect(stdout).toContain(reason)
    expect(stdout).toContain('"content"')
    expect(stdout).not.toContain('timed out')
  },
)

test('promise odd servers: a server that prints other lines works, and tools and mcp list quote one', async () => {
  const folder = makeRawFolder(
    'return method === "initialize" ? "Notes server 2.1, listening on stdio\\n" + usual : usual',
  )
  const called = await toolblocks(folder, 'call', 'notes__look')
  expect([called.code, called.stdout]).toEqual([0, expect.stringContaining('seen')])
  const { stdout } = await toolblocks(folder, 'mcp', 'list')
  expect(stdout).toContain('connected')
  expect(stdout).toMatch(
    /no message of MCP, and was ignored: "Notes server 2\.1, listening on stdio"/,
  )
  expect(stdout).toContain('everything else to standard error')
  expect((await toolblocks(folder, 'tools')).stderr).toContain('"Notes server 2.1, listening')
})

test('promise odd servers: an error answer to a notification ends no request', async () => {
  const folder = makeRawFolder(`
    if (method === 'notifications/initialized')
      return '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}\\n'
    if (method === 'tools/list') return void setTimeout(() => process.stdout.write(usual), 1500)
    return usual`)
  const { code, stdout } = await toolblocks(folder, 'call', 'notes__look')
  expect([code, stdout]).toEqual([0, expect.stringContaining('seen')])
})

test.for([
  [
    'a call that times out',
    'if (method === "tools/call") return "Loading the model: 1 of 2\\n"; return usual',
    'timeout_secs = 1',
    'timed out after 1 second',
  ],
  [
    'a program that ends',
    'if (method !== "tools/call") return usual; process.stdout.write("Loading the model: 1 of 2\\n", () => process.exit(3))',
    '',
    'the program ended with code 3',
  ],
] as const)(
  'promise odd servers: %s is reported with the lines that were printed',
  async ([, answer, settings, reason]) => {
    const { code, stdout } = await toolblocks(
      makeRawFolder(answer, settings),
      'call',
      'notes__look',
    )
    expect(code).toBeGreaterThan(0)
    expect(stdout).toContain(reason)
    expect(stdout).toContain('a line on its standard output is no message of MCP')
    expect(stdout).toContain('Loading the model: 1 of 2')
  },
)

test.for<[string, string, string]>([
  ['an old toolResult', '{ toolResult: { rows: [7] } }', '{"rows":[7]}'],
  ['an array', '{ content: [], structuredContent: [7, "x"] }', '[7,"x"]'],
  ['a text', '{ content: [], structuredContent: "seven words" }', 'seven words'],
  [
    'a number beside a text',
    '{ content: [{ type: "text", text: "rows:" }], structuredContent: 7 }',
    '7',
  ],
  ['null', '{ content: [], structuredContent: null }', 'null'],
])(
  'promise odd servers: %s in place of an object reaches a served client as text, and a person once',
  async ([, result, text]) => {
    const folder = makeRawFolder(`return method === 'tools/call' ? respond(id, ${result}) : usual`)
    const client = await connectClient(folder, ['serve'])
    const { content } = await client.callTool({ name: 'notes__look' })
    expect((content as object[]).at(-1)).toMatchObject({ type: 'text', text })
    const { stdout } = await toolblocks(folder, 'call', 'notes__look')
    const visibleText = text
      .replace(/[{}[\]",]/g, ' ')
      .trim()
      .split(/\s+/)
      .at(-1) as string
    expect(stdout.split(visibleText)).toHaveLength(2)
  },
)
