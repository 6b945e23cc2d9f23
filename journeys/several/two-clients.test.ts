import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'
import { type Served, serveOverHttp } from '../stage/mcp-client.ts'
import { SERVER_FILE } from '../stage/mcp-server.ts'

/** A server that does and asks what the arguments say, in the name of who calls. `slow` runs until `end` is called on the same connection. */
const SERVER = `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as types from '@modelcontextprotocol/sdk/types.js'

const server = new Server({ name: 'asks', version: '1' }, { capabilities: { tools: {}, logging: {} } })
const names = ['slow', 'ask', 'think', 'look', 'log', 'count']
let count = 0
server.setRequestHandler(types.ListToolsRequestSchema, () => {
  const offered = server.getClientCapabilities()?.sampling ? names : names.filter((name) => name !== 'think')
  return { tools: offered.map((name) => ({ name, inputSchema: { type: 'object', properties: { who: { type: 'string' } } } })) }
})
server.setRequestHandler(types.SetLevelRequestSchema, () => ({}))
server.setRequestHandler(types.CallToolRequestSchema, async ({ params: { name, arguments: { who } } }, { signal }) => {
  const say = (text) => ({ content: [{ type: 'text', text: String(text) }] })
  switch (name) {
    case 'slow':
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return say('over')
    case 'ask': {
      const form = { type: 'object', properties: { name: { type: 'string' } } }
      const { content } = await server.elicitInput({ message: 'Delete the file of ' + who + '?', requestedSchema: form })
      return say(content?.name)
    }
    case 'think': {
      const message = { role: 'user', content: { type: 'text', text: 'private text of ' + who } }
      return say((await server.createMessage({ messages: [message], maxTokens: 9 })).content.text)
    }
    case 'look':
      return say((await server.listRoots()).roots[0].uri)
    case 'log':
      await server.sendLoggingMessage({ level: 'info', data: 'seen by ' + who })
      return say('logged')
    case 'count':
      return say((count += 1))
  }
})
await server.connect(new StdioServerTransport())
`

const serveAsks = async (...options: readonly string[]): Promise<Served> =>
  await serveOverHttp(makeFolder({ [SERVER_FILE]: SERVER }), [
    '--server',
    `"${process.execPath}" ${SERVER_FILE}`,
    '--no-record',
    ...options,
  ])

/** A client, and everything that the server has asked or told it. */
interface Person {
  client: Client
  heard: string[]
}

/** Connects a client whose answers carry its name. */
async function connectPerson({ url, headers }: Served, who: string): Promise<Person> {
  const heard: string[] = []
  const client = new Client(
    { name: 'same', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    heard.push(params.message)
    return { action: 'accept', content: { name: `yes of ${who}` } }
  })
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    heard.push(JSON.stringify(params.messages))
    return { role: 'assistant', model: 'm', content: { type: 'text', text: `thought of ${who}` } }
  })
  client.setRequestHandler(ListRootsRequestSchema, async () => ({
    roots: [{ uri: `file:///home/${who}` }],
  }))
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.push(String(params.data))
  })
  onTestFinished(async () => await client.close())
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return { client, heard }
}

/** Calls a tool and returns its text. */
async function call(
  { client }: Pick<Person, 'client'>,
  name: string,
  callArguments: Record<string, unknown> = {},
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: callArguments })
  return JSON.stringify(content)
}

test('promise several clients: while one client’s call runs, another one is asked its own questions, and only those', async () => {
  const served = await serveAsks()
  const [ann, bob] = [await connectPerson(served, 'ann'), await connectPerson(served, 'bob')]
  const waiting = ann.client.callTool({ name: 'slow', arguments: {} }).catch(() => 'ended')
  expect(await call(ann, 'count')).toContain('1')
  const asked = await Promise.all(
    ['ask', 'think', 'look'].map(async (name) => await call(bob, name, { who: 'bob' })),
  )
  expect(asked.join()).toMatch(/yes of bob.*thought of bob.*file:\/\/\/home\/bob/)
  expect(ann.heard).toEqual([])
  expect(bob.heard).toHaveLength(2)
  expect(bob.heard.every((text) => text.includes('of bob'))).toBe(true)
  // The program of one client knows nothing of the other.
  expect(await call(bob, 'count')).toContain('1')
  await ann.client.close()
  await waiting
})

test('promise several clients: log messages, levels and tools that need a capability belong to one client', async () => {
  const served = await serveAsks()
  const [ann, bob] = [await connectPerson(served, 'ann'), await connectPerson(served, 'bob')]
  await ann.client.setLoggingLevel('info')
  await bob.client.setLoggingLevel('info')
  await call(ann, 'log', { who: 'ann' })
  await call(bob, 'log', { who: 'bob' })
  await vi.waitFor(() => expect([ann.heard, bob.heard]).toEqual([['seen by ann'], ['seen by bob']]))
  const plain = new Client({ name: 'plain', version: '1' })
  onTestFinished(async () => await plain.close())
  const { url, headers } = served
  await plain.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const names = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name)
  expect(await names(ann.client)).toContain('think')
  expect(await names(plain)).not.toContain('think')
})

test('promise several clients: clients of MCP 2026-07-28 that ask at the same time are each asked their own question', async () => {
  const { url, headers } = await serveAsks()
  const people = Array.from({ length: 5 }, (_, index) => `person-${index}`)
  const answers = await Promise.all(
    people.map(async (who) => {
      const heard: string[] = []
      const client = new LaterClient(
        { name: 'same', version: '1' },
        {
          capabilities: { elicitation: { form: {} } },
          versionNegotiation: { mode: { pin: '2026-07-28' } },
        },
      )
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        heard.push(params.message)
        return { action: 'accept', content: { name: `yes of ${who}` } }
      })
      onTestFinished(async () => await client.close())
      await client.connect(new LaterTransport(url, { requestInit: { headers } }))
      const { content } = await client.callTool({ name: 'ask', arguments: { who } })
      return { heard, text: JSON.stringify(content) }
    }),
  )
  for (const [index, { heard, text }] of answers.entries()) {
    expect(heard).toEqual([`Delete the file of person-${index}?`])
    expect(text).toContain(`yes of person-${index}"`)
  }
})

test('promise several clients: with --share they use one program, whose questions and log messages reach none of them', async () => {
  const served = await serveAsks('--share')
  const [ann, bob] = [await connectPerson(served, 'ann'), await connectPerson(served, 'bob')]
  await ann.client.setLoggingLevel('info')
  expect(await call(ann, 'count')).toContain('1')
  expect(await call(bob, 'count')).toContain('2')
  const waiting = ann.client.callTool({ name: 'slow', arguments: {} }).catch(() => 'ended')
  expect(await call(bob, 'ask', { who: 'bob' })).toContain('does not support')
  expect(await call(bob, 'look', { who: 'bob' })).toContain('several clients share this connection')
  await call(bob, 'log', { who: 'bob' })
  await ann.client.close()
  await waiting
  expect(await call(bob, 'count')).toContain('3')
  expect([...ann.heard, ...bob.heard]).toEqual([])
})

test('promise several clients: more calls of one client than can run, none of which ends, delay no call of another one', async () => {
  const served = await serveAsks()
  const [ann, bob] = [await connectPerson(served, 'ann'), await connectPerson(served, 'bob')]
  const ending = new AbortController()
  const calls = Array.from({ length: 80 }, async () => {
    await ann.client
      .callTool({ name: 'slow', arguments: {} }, undefined, { signal: ending.signal })
      .catch(() => undefined)
  })
  expect(await call(bob, 'count')).toContain('1')
  expect(await call(bob, 'ask', { who: 'bob' })).toContain('yes of bob')
  ending.abort()
  await Promise.all(calls)
})

test('promise several clients: a shared server of MCP 2026-07-28 asks each client about its own call', async () => {
  const behind = await serveAsks()
  const authorization = `Authorization: ${behind.headers.authorization}`
  const front = await serveOverHttp(makeFolder({}), [
    '--server',
    String(behind.url),
    '--header',
    authorization,
    '--no-record',
  ])
  const names = ['ann', 'bob', 'eve']
  const people = await Promise.all(names.map(async (who) => await connectPerson(front, who)))
  const answers = await Promise.all(
    people.map(async (person, index) => await call(person, 'ask', { who: names[index] })),
  )
  for (const [index, who] of names.entries()) {
    expect(people[index]?.heard).toEqual([`Delete the file of ${who}?`])
    expect(answers[index]).toContain(`yes of ${who}"`)
  }
})

test('promise several clients: --share without servers or without HTTP is refused', async () => {
  const folder = makeFolder({})
  for (const args of [
    ['--share', '--http', '0'],
    ['--no-share', '--server', 'x'],
  ])
    expect(await toolblocks(folder, 'serve', ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('share needs --server and --http'),
    })
})

/** A server whose second start does this, and which works at all others. */
const falter = (second: string): string => `
import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync('starts.txt', '.')
if (readFileSync('starts.txt', 'utf8').length === 2) ${second}
${SERVER}`

/** Expects that a client can use a server whose second start, the first one for the client, fails. */
async function expectStartedAgain(second: string): Promise<void> {
  const served = await serveOverHttp(makeFolder({ [SERVER_FILE]: falter(second) }), [
    '--server',
    `"${process.execPath}" ${SERVER_FILE}`,
    '--no-record',
  ])
  const ann = await connectPerson(served, 'ann')
  expect(await call(ann, 'count')).toContain('1')
  const { tools } = await ann.client.listTools()
  expect(tools.map(({ name }) => name)).toContain('count')
}

test('promise several clients: a server that failed for one client is started again when the client needs it', async () => {
  await expectStartedAgain('process.exit(1)')
})

test('promise several clients: a server that ended while it listed its tools for one client is started again when the client needs it', async () => {
  await expectStartedAgain(
    "process.stdin.on('data', (data) => String(data).includes('tools/list') && process.exit(1))",
  )
})

/** A server with one resource, whose text says where it is from. */
const NOTES = `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as types from '@modelcontextprotocol/sdk/types.js'

const [, , from] = process.argv
const server = new Server({ name: from, version: '1' }, { capabilities: { resources: {} } })
server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: [{ uri: 'note:a', name: from }] }))
server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => ({ contents: [{ uri, text: 'of ' + from }] }))
await server.connect(new StdioServerTransport())
`

test('promise several servers: two resources with the same URI are listed under different ones, and both are read', async () => {
  const start = (name: string): readonly string[] => [
    '--server',
    `${name}="${process.execPath}" ${SERVER_FILE} ${name}`,
  ]
  const served = await serveOverHttp(makeFolder({ [SERVER_FILE]: NOTES }), [
    ...start('home'),
    ...start('work'),
    '--no-record',
  ])
  const { client } = await connectPerson(served, 'ann')
  const resources: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor })
    for (const { uri, name } of page.resources) {
      const { contents } = await client.readResource({ uri })
      resources.push(`${name}: ${uri} is ${JSON.stringify(contents)}`)
    }
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(resources).toEqual([
    'home: note:a is [{"uri":"note:a","text":"of home"}]',
    'work: mcp-server:work/note%3Aa is [{"uri":"mcp-server:work/note%3Aa","text":"of work"}]',
  ])
})

/** A stateful tool that keeps what it is told, in Python. */
const KEEPER = `import json, sys
kept = ''
for line in sys.stdin:
    request = json.loads(line)
    action = request['context']['action']
    tool = request.get('tool', {})
    if action == 'spawn': kept = tool['arguments']['text']
    status = 'stopped' if action == 'abort' else 'running'
    reply = {'content': [{'type': 'text', 'text': 'keeps ' + kept}], '_meta': {'computer.jp/status': status, 'toolblocks/re': request.get('seq', 0)}}
    print(json.dumps(reply), flush=True)
    if action == 'abort': break
`

test('promise several clients: a running call of a stateful tool belongs to the session of its client, and ends with it', async () => {
  const folder = makeFolder({
    'keep.py': KEEPER,
    'toolblocks.toml': `[tools.keep]
source = "local"
command = ["python3", "keep.py"]
run = "unattended"
stateful = true
[tools.keep.parameters.text]
type = "string"
`,
  })
  const served = await serveOverHttp(folder, [])
  const [ann, bob] = [await connectPerson(served, 'ann'), await connectPerson(served, 'bob')]
  const spawn = (text: string) => ({ action: 'spawn', id: 'main', text })
  const fetch = { action: 'fetch', id: 'main' }
  expect(await call(ann, 'keep', spawn('secret of ann'))).toContain('secret of ann')
  expect(await call(bob, 'keep', fetch)).toContain('there is no handle')
  expect(await call(bob, 'keep', spawn('text of bob'))).toContain('text of bob')
  expect(await call(ann, 'keep', fetch)).toContain('secret of ann')
  await call(bob, 'keep', { action: 'abort', id: 'main' })
  expect(await call(ann, 'keep', fetch)).toContain('secret of ann')
})
