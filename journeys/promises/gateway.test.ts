import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { run, toolblocks, visit } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { connectClient, connectEntry } from '../stage/mcp-client.ts'
import { createServerProgram, SERVER_FILE } from '../stage/mcp-server.ts'

const DELETE = {
  name: 'delete_note',
  description: 'Deletes a note.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  annotations: { readOnlyHint: false },
}
const LIST = {
  name: 'list_notes',
  description: 'Lists the notes.',
  inputSchema: { type: 'object' },
}

/** A server with prompts, which asks its client for a model, roots and a form during a call. */
const ASKS = `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as types from '@modelcontextprotocol/sdk/types.js'

const server = new Server(
  { name: 'asks', version: '3', title: 'Asks' },
  { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: 'Ask first.' },
)
server.setRequestHandler(types.ListToolsRequestSchema, () => ({
  tools: [{ name: 'ask', inputSchema: { type: 'object' } }],
}))
server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
  const message = { role: 'user', content: { type: 'text', text: 'Hi.' } }
  const said = await server.createMessage({ messages: [message], maxTokens: 9 })
  const { roots } = await server.listRoots()
  const form = { type: 'object', properties: { name: { type: 'string' } } }
  const answer = await server.elicitInput({ message: 'Who?', requestedSchema: form })
  const text = JSON.stringify([said.content.text, roots, answer.content, params._meta?.['a.b/trace']])
  return { content: [{ type: 'text', text }], _meta: { 'a.b/seen': true } }
})
server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts: [{ name: 'greet' }] }))
server.setRequestHandler(types.GetPromptRequestSchema, () => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'Greet me.' } }],
}))
server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: [{ uri: 'note:a', name: 'a' }] }))
server.setRequestHandler(types.ReadResourceRequestSchema, ({ params }) => ({
  contents: [{ uri: params.uri, text: 'The note.' }],
}))
await server.connect(new StdioServerTransport())
`

/** A server that has one tool and nothing else. */
const BARE = `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as types from '@modelcontextprotocol/sdk/types.js'

const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(types.ListToolsRequestSchema, () => ({
  tools: [{ name: 'ask', inputSchema: { type: 'object' } }],
}))
await server.connect(new StdioServerTransport())
`

/** A server of MCP 2026-07-28. */
const STATELESS = fileURLToPath(
  new URL('../../packages/mcp-bridge/src/testing/stateless-server.support.ts', import.meta.url),
)

const SERVED = ['serve', '--server', `"${process.execPath}" ${SERVER_FILE}`] as const

/** The entry with which a host starts the gateway. */
function getEntry(...args: readonly string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [inject('command'), ...SERVED, ...args] }
}

function makeNotes(answer: string, tools: readonly object[] = [DELETE, LIST]): string {
  return makeFolder({ [SERVER_FILE]: createServerProgram(tools, answer) })
}

const SAY = 'return { content: [{ type: "text", text: name }] }'

/** The names of the server's tools that are offered. */
async function getNames(client: Client): Promise<readonly string[]> {
  const names = (await client.listTools()).tools.map(({ name }) => name)
  return names.filter((name) => name !== 'read_tool_result')
}

test('promise gateway: everything that a server offers and asks passes between it and its client', async () => {
  const folder = makeFolder({ [SERVER_FILE]: ASKS })
  const client = new Client(
    { name: 'journey', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { name: 'Ann' },
  }))
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///w' }] }))
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'Hello.' },
  }))
  onTestFinished(async () => await client.close())
  await client.connect(new StdioClientTransport({ ...getEntry(), cwd: folder, stderr: 'ignore' }))
  expect(client.getServerVersion()).toEqual({ name: 'asks', version: '3', title: 'Asks' })
  expect(client.getInstructions()).toBe('Ask first.')
  const called = await client.callTool({
    name: 'ask',
    arguments: {},
    _meta: { 'a.b/trace': 'id-7' },
  })
  expect(called).toEqual({
    content: [
      {
        type: 'text',
        text: JSON.stringify(['Hello.', [{ uri: 'file:///w' }], { name: 'Ann' }, 'id-7']),
      },
    ],
    _meta: { 'a.b/seen': true },
  })
  expect((await client.listPrompts()).prompts).toEqual([{ name: 'greet' }])
  expect(JSON.stringify(await client.getPrompt({ name: 'greet' }))).toContain('Greet me.')
  expect((await client.readResource({ uri: 'note:a' })).contents).toEqual([
    { uri: 'note:a', text: 'The note.' },
  ])
})

test('promise gateway: a server receives the answer to its form as the client sent it, without defaults that its person has removed', async () => {
  const form = {
    type: 'object',
    properties: { name: { type: 'string' }, count: { type: 'integer', default: 3 } },
    required: ['name'],
  }
  const folder = makeNotes(
    `const answer = await server.elicitInput({ message: 'Who?', requestedSchema: ${JSON.stringify(form)} })
return { content: [{ type: 'text', text: JSON.stringify(answer) }] }`,
  )
  const schemas: unknown[] = []
  const client = await connectClient(folder, SERVED, (request) => {
    schemas.push(request.requestedSchema)
    return { action: 'accept', content: { name: 'Ann' } }
  })
  const result = await client.callTool({ name: 'list_notes' })
  const text = JSON.stringify({ action: 'accept', content: { name: 'Ann' } })
  expect([result, schemas]).toEqual([{ content: [{ type: 'text', text }] }, [form]])
})

test('promise gateway: a program that speaks only MCP 2026-07-28 needs no option', async () => {
  const server = `"${process.execPath}" "${STATELESS}" reject`
  const args = [inject('command'), 'serve', '--server', server]
  const client = await connectEntry({ command: process.execPath, args }, makeFolder({}))
  expect(await getNames(client)).toEqual(['echo', 'ask'])
  const called = await client.callTool({ name: 'echo', arguments: { a: 1 } })
  // Structured content that is not an object is a text for a client of an earlier version.
  expect(called.content).toMatchObject([
    { type: 'text', text: '{"a":1}' },
    { type: 'text', text: '[1,null]' },
  ])
})

test('promise gateway: a client follows the call of a tool that may take long as a task', async () => {
  const long = { ...LIST, execution: { taskSupport: 'optional' } }
  const client = await connectEntry(getEntry(), makeNotes(SAY, [long]))
  await client.listTools()
  const messages: string[] = []
  const stream = client.experimental.tasks.callToolStream(
    { name: 'list_notes', arguments: {} },
    CallToolResultSchema,
    { task: { ttl: 60_000 } },
  )
  for await (const message of stream)
    messages.push(message.type === 'result' ? JSON.stringify(message.result.content) : message.type)
  expect([messages[0], messages.at(-1)]).toEqual([
    'taskCreated',
    JSON.stringify([{ type: 'text', text: 'list_notes' }]),
  ])
})

test('promise gateway: a tool whose definition has changed is not offered until it is accepted, and the change is shown', async () => {
  const folder = makeNotes(SAY)
  const first = await connectEntry(getEntry(), folder)
  expect(await getNames(first)).toEqual(['delete_note', 'list_notes'])
  await first.close()
  const file = join(folder, SERVER_FILE)
  const text = readFileSync(file, 'utf8')
  // Only an annotation has changed.
  writeFileSync(file, text.replace('"readOnlyHint":false', '"readOnlyHint":true'))
  let stderr = ''
  // A server that needs more than a second to start is not waited for, and this client leaves at once.
  const serve = async (): Promise<string> => {
    ;({ stderr } = await toolblocks(folder, ...SERVED))
    return stderr
  }
  await expect.poll(serve, { timeout: 30_000 }).toContain('delete_note: its definition differs')
  expect(stderr).toMatch(/annotations\.readOnlyHint: false[^]*annotations\.readOnlyHint: true/)
  const second = await connectEntry(getEntry(), folder)
  expect(await getNames(second)).toEqual(['list_notes'])
  await second.close()
  expect(await getNames(await connectEntry(getEntry('--no-pin'), folder))).toHaveLength(2)
  await toolblocks(folder, ...SERVED, '--accept')
  expect(await getNames(await connectEntry(getEntry(), folder))).toHaveLength(2)
})

test('promise gateway: a definition stays recorded when the server offers another tool, and its later change is found', async () => {
  const folder = makeNotes(SAY, [LIST])
  const offer = async (tools: readonly object[]): Promise<readonly string[]> => {
    writeFileSync(join(folder, SERVER_FILE), createServerProgram(tools, SAY))
    const client = await connectEntry(getEntry(), folder)
    const names = await getNames(client)
    await client.close()
    return names
  }
  expect(await offer([LIST])).toEqual(['list_notes'])
  expect(await offer([LIST, DELETE])).toEqual(['list_notes', 'delete_note'])
  expect(await offer([{ ...LIST, description: 'Sends the notes.' }, DELETE])).toEqual([
    'delete_note',
  ])
})

test('promise gateway: arguments are checked before they leave, and policies decide about tools', async () => {
  const folder = makeNotes(SAY)
  const client = await connectEntry(getEntry('--policy', 'list_notes=deny'), folder)
  expect(await getNames(client)).toEqual(['delete_note'])
  const wrong = await client.callTool({ name: 'delete_note', arguments: { id: 7 } })
  expect(wrong.isError).toBe(true)
  expect(JSON.stringify(wrong.content)).toContain('the call was not run')
  const asks = await connectEntry(getEntry('--policy', 'delete_note=ask', '--no-park'), folder)
  const asked = await asks.callTool({ name: 'delete_note', arguments: { id: 'a' } })
  expect(JSON.stringify(asked.content)).toMatch(/could not be asked, .* because of --no-park/)
})

test('promise gateway: a long result is cut, and the rest is read with read_tool_result', async () => {
  const answer = `
    const lines = Array.from({ length: 30000 }, (_, index) => 'line ' + index)
    return { content: [{ type: 'text', text: lines.join('\\n') }], structuredContent: { lines } }`
  const schema = { type: 'object', properties: { lines: { type: 'array' } } }
  const folder = makeNotes(answer, [{ ...LIST, outputSchema: schema }])
  const client = await connectEntry(getEntry('--max-result', '2000'), folder)
  // The library of the client refuses structured content that does not match.
  expect((await client.listTools()).tools[0]).toMatchObject({ outputSchema: schema })
  const cut = await client.callTool({ name: 'list_notes', arguments: {} })
  expect(JSON.stringify(cut).length).toBeLessThan(6000)
  expect(cut.structuredContent).toEqual({ lines: expect.arrayContaining(['line 0', 'line 1']) })
  expect(JSON.stringify(cut.content)).toContain('Structured content was shortened from')
  const [id = ''] = /(?<=call \\")[^\\]+/.exec(JSON.stringify(cut.content)) ?? []
  const rest = await client.callTool({
    name: 'read_tool_result',
    arguments: { call: id, block: 1, from: 15_001, lines: 1 },
  })
  expect(JSON.stringify(rest.content)).toContain('line 15000')
})

test('promise gateway: structured content that no shorter one replaces stays whole, and its text is cut', async () => {
  const answer = `
    const lines = Array.from({ length: 3000 }, (_, index) => 'line ' + index)
    return { content: [{ type: 'text', text: lines.join('\\n') }], structuredContent: { lines } }`
  const lines = { type: 'array', minItems: 3000 }
  const schema = { type: 'object', properties: { lines }, required: ['lines'] }
  const folder = makeNotes(answer, [{ ...LIST, outputSchema: schema }])
  const client = await connectEntry(getEntry('--max-result', '2000'), folder)
  await client.listTools()
  const cut = await client.callTool({ name: 'list_notes', arguments: {} })
  expect(Object(cut.structuredContent).lines).toHaveLength(3000)
  expect(JSON.stringify(cut.content)).toContain('were left out')
  expect(JSON.stringify(cut.content).length).toBeLessThan(4000)
})

test('promise gateway: it announces resources and tasks only if its server has them', async () => {
  const bare = makeFolder({ [SERVER_FILE]: BARE })
  // With this option, the command waits for its server however long it takes to start. Of a server that is still starting, everything is announced.
  const client = await connectEntry(getEntry('--accept'), bare)
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } })
  const long = makeFolder({
    [SERVER_FILE]: BARE.replace(
      "name: 'ask',",
      "name: 'ask', execution: { taskSupport: 'optional' },",
    ),
  })
  const other = await connectEntry(getEntry('--accept'), long)
  expect(other.getServerCapabilities()).toEqual({
    tools: { listChanged: true },
    tasks: expect.any(Object),
  })
})

test('promise gateway: calls are recorded, and the record can be verified and read', async () => {
  const folder = makeNotes(SAY)
  const client = await connectEntry(getEntry(), folder)
  await client.callTool({ name: 'delete_note', arguments: { id: 'note-of-this-journey' } })
  await client.close()
  const { stdout } = await toolblocks(folder, 'conversations', 'search', 'note-of-this-journey')
  expect(stdout).toContain('delete_note')
  expect((await toolblocks(folder, 'conversations', 'verify')).code).toBe(0)
})

test('promise gateway: a call that runs when its client goes is recorded with its result', async () => {
  const folder = makeNotes('await new Promise(() => {})')
  const client = await connectEntry(getEntry(), folder)
  const call = client.callTool({ name: 'delete_note', arguments: { id: 'note-without-end' } })
  call.catch(() => undefined)
  const list = async (): Promise<string> =>
    (await toolblocks(folder, 'conversations', 'search', 'note-without-end')).stdout
  await vi.waitFor(async () => expect(await list()).toContain('delete_note'), 20_000)
  await client.close()
  const { stdout } = await toolblocks(folder, 'conversations', 'search', 'cancelled')
  expect(stdout).toContain('delete_note')
})

test('promise gateway: with --mask-secrets the client receives a secret, and the record does not contain it', async () => {
  const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
  const folder = makeNotes(`return { content: [{ type: 'text', text: 'token ' + '${token}' }] }`)
  const client = await connectEntry(getEntry('--mask-secrets'), folder)
  const got = await client.callTool({ name: 'list_notes', arguments: {} })
  expect(JSON.stringify(got.content)).toContain(token)
  await client.close()
  const { stdout } = await toolblocks(folder, 'conversations', 'search', 'scrubbed')
  expect(stdout).toContain('token [scrubbed]')
  const searched = await toolblocks(folder, 'conversations', 'search', token)
  expect(searched.stdout).not.toContain('list_notes')
  const detected = await toolblocks(folder, 'conversations', 'scrub', '--all', '--detect')
  expect(detected.stdout).toContain('No probable secrets were found.')
})

test('promise gateway: --install writes the line into the file of a host, after a yes', async () => {
  const folder = makeNotes(SAY)
  const args = [...SERVED, '--policy', 'list_notes=deny', '--install', 'vscode', '--name', 'notes']
  const { code, written } = await visit(folder, args, [[/Yes[^]*No/, 'y\r']])
  expect(code).toBe(0)
  expect(written).toContain('--server')
  const { servers } = JSON.parse(
    readFileSync(join(process.env['XDG_CONFIG_HOME'] ?? '', 'Code/User/mcp.json'), 'utf8'),
  )
  const whole = `${process.execPath} ${join(folder, SERVER_FILE)}`
  const named = ['serve', '--server', whole, '--policy', 'list_notes=deny']
  expect(servers.notes.args.slice(1)).toEqual(named)
  const client = await connectEntry(servers.notes, folder)
  expect(await getNames(client)).toEqual(['delete_note'])
})

test('promise gateway: an installed entry has the name of its server, starts it from any folder, and knows its definitions', async () => {
  const program = `memos/dist/${SERVER_FILE}`
  const folder = makeFolder({ [program]: createServerProgram([DELETE, LIST], SAY) })
  const server = `${process.execPath} ./${program}`
  const options = ['--max-result', 'all', '--defer-above', 'all', '--timeout', '60', '--no-record']
  const args = ['serve', '--server', server, ...options, '--install', 'vscode', '--yes']
  expect((await toolblocks(folder, ...args)).code).toBe(0)
  const file = join(process.env['XDG_CONFIG_HOME'] ?? '', 'Code/User/mcp.json')
  const { servers } = JSON.parse(readFileSync(file, 'utf8'))
  expect(servers.memos.args).toEqual(expect.arrayContaining(options))
  const changed = { ...DELETE, description: 'Deletes everything.' }
  writeFileSync(join(folder, program), createServerProgram([changed, LIST], SAY))
  const client = await connectEntry(servers.memos, makeFolder({}))
  expect(await getNames(client)).toEqual(['list_notes'])
})

test('promise gateway: --install keeps what the host writes into its file while a person decides', async () => {
  const home = makeFolder({ '.cursor/mcp.json': '{"mcpServers": {}}' })
  const file = join(home, '.cursor/mcp.json')
  const args = [...SERVED, '--install', 'cursor', '--name', 'notes']
  const meanwhile = async (): Promise<string> => {
    writeFileSync(file, '{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}')
    return 'y\r'
  }
  const { code } = await visit(makeNotes(SAY), args, [[/Yes[^]*No/, meanwhile]], {
    environment: { HOME: home },
  })
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    theme: 'dark',
    mcpServers: { other: { command: 'x' }, notes: { command: expect.any(String) } },
  })
})

test('promise gateway: a program receives the variables of its host that --env names, and no other ones', async () => {
  const folder = makeFolder({
    [SERVER_FILE]: createServerProgram(
      [{ name: 'variables', inputSchema: { type: 'object' } }],
      'const { HOST_KEY, OTHER_KEY, MODE } = process.env\nreturn { content: [{ type: "text", text: [HOST_KEY, OTHER_KEY, MODE].join() }] }',
    ),
  })
  const options = ['--env', 'HOST_KEY', '--env', 'MODE=fast']
  const args = ['serve', '--server', `says="${process.execPath}" ${SERVER_FILE}`, ...options]
  const environment = { HOST_KEY: 'key', OTHER_KEY: 'other' }
  const client = await connectClient(folder, args, undefined, environment)
  expect(await client.callTool({ name: 'variables' })).toEqual({
    content: [{ type: 'text', text: 'key,,fast' }],
  })
  const installing = [...args, '--install', 'vscode', '--yes']
  expect((await run(folder, installing, { ...process.env, ...environment })).code).toBe(0)
  const file = join(process.env['XDG_CONFIG_HOME'] ?? '', 'Code/User/mcp.json')
  const { servers } = JSON.parse(readFileSync(file, 'utf8'))
  expect(servers.says.args).toEqual(expect.arrayContaining(options))
})

test.for<[string, readonly string[], RegExp]>([
  [
    'nothing',
    ['--server', ''],
    /expected an address such as https:\/\/host\/mcp, or a command line/,
  ],
  ['an open quote', ['--server', 'node "x'], /a quote is not closed/],
  ['a program beside it', ['--server', 'x', './tool.sh'], /cannot be combined with programs/],
  [
    'a tool that does not exist',
    // With this option, the command waits for its servers however long they take to start.
    [...SERVED.slice(1), '--policy', 'lst_notes=ask', '--accept'],
    /did you mean "list_notes"/,
  ],
  [
    'an unknown policy',
    [...SERVED.slice(1), '--policy', 'list_notes=maybe'],
    /expected TOOL=POLICY/,
  ],
  ['two servers of one name', ['--server', 'a=x', '--server', 'a=y'], /two servers are named "a"/],
  [
    'a header without a value',
    ['--server', 'https://x.example', '--header', 'X'],
    /expected "Name: value"/,
  ],
  ['a variable without a name', ['--server', 'x', '--env', '=b'], /expected NAME or NAME=VALUE/],
  ['a server that cannot be started', ['--server', 'no-such-server'], /no-such-server/],
  ['an option of servers without one', ['--accept'], /--accept needs --server/],
])('promise gateway: --server with %s is refused with a reason', async ([, args, message]) => {
  const { code, stderr, stdout } = await toolblocks(makeNotes(SAY), 'serve', ...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})
