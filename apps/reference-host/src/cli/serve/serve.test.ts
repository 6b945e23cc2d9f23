import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { openStore } from '@toolblocks/conversation-store'
import { serveHttp, type ToolService } from '@toolblocks/mcp-bridge/server'
import {
  booleanQuestion,
  createFailure,
  createSuccessResult,
  withErrorDetails,
} from '@toolblocks/protocol'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createContext } from './command-context.support.ts'
import type { ServeCommandOptions } from './serve-options.ts'
import { serveTools } from './serve.ts'

const TOKEN = 'token-of-the-test'
const LONG = 'long '.repeat(1000)

/** Serves tools to the command, as a server that a person names. */
async function startServer(name: string, more: Partial<ToolService> = {}): Promise<string> {
  const served = await serveHttp(
    {
      name,
      version: '7',
      info: { title: `The ${name}` },
      instructions: `How to use ${name}.`,
      root: '/w',
      definitions: () => ['read', 'fail'].map((tool) => ({ name: tool, inputSchema: {} })),
      callTool: async (call) =>
        call.name === 'read'
          ? createSuccessResult([{ type: 'text', text: LONG }])
          : withErrorDetails(createFailure('no'), {
              transient: false,
              trace: ['the disk is full'],
            }),
      ...more,
    },
    { port: 0, token: TOKEN },
  )
  onTestFinished(async () => await served.close({ graceMs: 0 }))
  return served.url
}

/** Runs the command until its end is asked for, and returns a client of what it serves. */
async function run(
  options: ServeCommandOptions,
  {
    files = {},
    programs = [],
    commandContext = createContext(files),
  }: {
    files?: Record<string, string>
    programs?: string[]
    commandContext?: ReturnType<typeof createContext>
  } = {},
) {
  const ending = new AbortController()
  const { folder, readStderr } = commandContext
  const context = { ...commandContext.context, signal: ending.signal }
  const ended = serveTools(context, programs, { http: 0, ...options })
  let text = ''
  const url = await Promise.race([
    vi.waitFor(
      () => {
        text += readStderr()
        const [, address] = /Serving .* at (\S+)/.exec(text) ?? []
        if (address === undefined) throw new Error(`nothing is served: ${text}`)
        return address
      },
      { timeout: 50_000 },
    ),
    ended.then((code) => {
      throw new Error(`ended with ${code}: ${readStderr()}`)
    }),
  ])
  const end = async (): Promise<number> => {
    ending.abort()
    return await ended
  }
  onTestFinished(async () => void (await end()))
  const connect = async (
    token = /Bearer (\S+)/.exec(text)?.[1] ?? TOKEN,
    name = 'editor',
  ): Promise<Client> => {
    const client = new Client({ name, version: '3' })
    onTestFinished(async () => await client.close())
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    )
    return client
  }
  return { url, folder, connect, end, readStderr: () => (text += readStderr()) }
}

const getNames = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

async function getText(client: Client, name: string, callArguments = {}): Promise<string> {
  return JSON.stringify((await client.callTool({ name, arguments: callArguments })).content)
}

const header = [`authorization: Bearer ${TOKEN}`]

describe('toolblocks serve --server', () => {
  test('one server is served under its own name, with its instructions, its results cut, and a record', async () => {
    const { connect, end, folder } = await run({
      server: [await startServer('notes')],
      header,
      maxResult: 600,
      policy: ['fail=deny'],
    })
    const client = await connect()
    expect(client.getServerVersion()).toEqual({ name: 'notes', version: '7', title: 'The notes' })
    expect(client.getInstructions()).toBe('How to use notes.')
    expect(await getNames(client)).toEqual(['read', 'read_tool_result'])
    expect((await getText(client, 'read')).length).toBeLessThan(1500)
    await client.close()
    expect(await end()).toBe(0)
    const store = await openStore(`sqlite:${join(folder, '.data/toolblocks/conversations.db')}`)
    onTestFinished(async () => await store.close())
    const { conversations } = await store.list()
    expect(conversations).toHaveLength(1)
    const stored = await store.read(conversations[0]?.id ?? '')
    expect(JSON.stringify(stored)).toContain(LONG)
    expect(JSON.stringify(stored)).toContain('"name":"editor"')
  })

  test('the model of a known host gets all of a result unless --results is as-is, and the record keeps the result', async () => {
    const mixed = {
      ...createSuccessResult([{ type: 'text', text: 'said' }]),
      structuredContent: { kept: 'structure' },
    }
    const server = [await startServer('notes', { callTool: async () => mixed })]
    const read = async (options: ServeCommandOptions): Promise<[unknown, string]> => {
      const { connect, end, folder } = await run({ server, header, ...options })
      const client = await connect(undefined, 'codex-mcp-client')
      const result = await client.callTool({ name: 'read', arguments: {} })
      await client.close()
      await end()
      const store = await openStore(`sqlite:${join(folder, '.data/toolblocks/conversations.db')}`)
      onTestFinished(async () => await store.close())
      const { conversations } = await store.list()
      return [result, JSON.stringify(await store.read(conversations[0]?.id ?? ''))]
    }
    const [suited, stored] = await read({})
    expect(suited).toMatchObject({
      content: [{ text: 'said' }, { type: 'text', text: '{"kept":"structure"}' }],
    })
    expect(suited).not.toHaveProperty('structuredContent')
    expect(stored).toContain('"structuredContent":{"kept":"structure"}')
    const [unchanged] = await read({ results: 'as-is' })
    expect(unchanged).toMatchObject({ structuredContent: { kept: 'structure' } })
    const [named] = await read({ results: '@openai/agents' })
    expect(named).toMatchObject({ content: [{}, {}], structuredContent: { kept: 'structure' } })
  })

  test('several servers are one, with their names before those of their tools, and without a record if none is wanted', async () => {
    const server = [`a=${await startServer('one')}`, `b=${await startServer('two')}`]
    const { connect, end, folder } = await run({
      server,
      header,
      record: false,
      deferAbove: 1,
    })
    const client = await connect()
    expect(client.getServerVersion()).toMatchObject({ name: 'toolblocks' })
    expect(client.getInstructions()).toBe('How to use one.\n\nHow to use two.')
    expect(await getNames(client)).toContain('search_tools')
    expect(await getNames(client)).not.toContain('a__read')
    expect(await getText(client, 'search_tools', { query: 'read' })).toContain('b__read')
    await client.close()
    await end()
    const store = await openStore(`sqlite:${join(folder, '.data/toolblocks/conversations.db')}`)
    onTestFinished(async () => await store.close())
    expect((await store.list()).conversations).toEqual([])
  })

  test('a client waits for a server as long as --start-wait says, and then is told that its tools come later', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const server = [`a=${await startServer('one')}`, `b=http://127.0.0.1:${port}/mcp`]
    const { connect } = await run({ server, header, startWait: 0.2 })
    const { tools, _meta } = await (await connect()).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['a__read', 'a__fail', 'read_tool_result'])
    expect(JSON.stringify(_meta)).toContain('b\\" is still starting')
  })

  test('a client passes with the token of the environment only', async () => {
    vi.stubEnv('OWN_TOKEN', 'mine')
    const server = [await startServer('notes')]
    const { connect } = await run({ server, header, tokenEnv: 'OWN_TOKEN' })
    await expect(connect('other')).rejects.toThrow('with the token of this server')
    expect(await getNames(await connect('mine'))).toContain('read')
  })
})

/** A server whose tool asks the person of the client that calls it, and that has a prompt. */
const startAskingServer = async (): Promise<string> =>
  await startServer('asking', {
    definitions: () => [{ name: 'ask', inputSchema: {} }],
    callTool: async (call, { ask, signal }) => {
      const request = booleanQuestion({ id: 'sure', text: 'Are you Ann?' })
      const source = { kind: 'question', call } as const
      const answer = await ask?.user?.(request, { blocks: [], source, signal })
      return createSuccessResult([{ type: 'text', text: JSON.stringify(answer) }])
    },
    features: {
      capabilities: () => ({ prompts: {} }),
      answer: async () => ({ prompts: [{ name: 'review' }] }),
      watch: () => () => undefined,
    },
  })

/** A client whose person answers questions. */
async function connectPerson(url: string, token: string, isAnn: boolean): Promise<Client> {
  const client = new Client({ name: 'editor', version: '3' }, { capabilities: { elicitation: {} } })
  onTestFinished(async () => await client.close())
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    const fields = 'requestedSchema' in params ? params.requestedSchema.properties : {}
    const [field = ''] = Object.keys(fields)
    return { action: 'accept', content: { [field]: isAnn } }
  })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  return client
}

test.for(['of the command line', 'of the folder'] as const)(
  'a question of a server %s reaches the person whose client has made the call, and its prompts reach every client',
  async (where) => {
    vi.stubEnv('OWN_TOKEN', 'mine')
    const url = await startAskingServer()
    const toml = `[mcp.servers.s]
url = "${url}"
headers = { Authorization = "Bearer ${TOKEN}" }
run = "unattended"
`
    const { url: served } =
      where === 'of the folder'
        ? await run({ trust: true, tokenEnv: 'OWN_TOKEN' }, { files: { 'toolblocks.toml': toml } })
        : await run({ server: [`s=${url}`], header, tokenEnv: 'OWN_TOKEN' })
    const people = [
      await connectPerson(served, 'mine', true),
      await connectPerson(served, 'mine', false),
    ]
    const answers = people.map(async (person) => {
      const [name = ''] = await getNames(person)
      return await getText(person, name)
    })
    expect(await Promise.all(answers)).toEqual([
      expect.stringContaining('\\"value\\":true'),
      expect.stringContaining('\\"value\\":false'),
    ])
    for (const person of people)
      expect((await person.listPrompts()).prompts).toEqual([{ name: 'review' }])
  },
)

const TOML = `[tools.count]
source = "local"
command = "wc -c"
parameters = {}
run = "unattended"
[tools.touch]
source = "local"
command = "echo touched"
parameters = {}
[tools.many]
source = "local"
command = "seq 5000"
parameters = {}
run = "unattended"
[tools.broken]
source = "local"
command = ["node", "broken.cjs"]
parameters = {}
run = "unattended"
[prompts.review]
file = "review.md"
[store]
url = "sqlite:own.db"
[format]
error_trace = false
[budget]
per_result = 700
`

describe('toolblocks serve, of a folder', () => {
  const files = {
    'toolblocks.toml': TOML,
    'review.md': 'Look at it.',
    'broken.cjs': `console.log(JSON.stringify({
      content: [{ type: 'text', text: 'no' }],
      isError: true,
      _meta: { 'computer.jp/error': { transient: false, trace: ['the disk is full'] } },
    }))`,
  }

  test('offers the tools and prompts, and records in the store of the folder', async () => {
    const { connect, end, folder } = await run({ trust: true, park: false }, { files })
    const client = await connect()
    const names = ['count', 'touch', 'many', 'broken', 'read_tool_result']
    expect(await getNames(client)).toEqual(names)
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'review' }])
    expect(await getText(client, 'count')).toMatch(/\d/)
    // Its user is not asked by this client.
    expect(await getText(client, 'touch')).toContain('--trust-client')
    expect((await getText(client, 'many')).length).toBeLessThan(1500)
    expect(await getText(client, 'broken')).not.toContain('the disk is full')
    await client.close()
    await end()
    const store = await openStore(`sqlite:${join(folder, 'own.db')}`)
    onTestFinished(async () => await store.close())
    expect((await store.list()).conversations).toHaveLength(1)
  })

  test.for([
    ['', { deferAbove: 1 }],
    ['[tool_search]\ndefer_above = 1\n', {}],
    ['[tool_search]\ndefer_above = 100\n', { deferAbove: 1 }],
  ] as const)('lists few tools with %j and %j', async ([written, options]) => {
    const { connect } = await run(
      { trust: true, ...options },
      { files: { ...files, 'toolblocks.toml': TOML + written } },
    )
    const names = await getNames(await connect())
    expect(names).toContain('search_tools')
    expect(names).not.toContain('count')
  })

  test('with --trust-client the client approves calls', async () => {
    const { connect } = await run({ trust: true, trustClient: true }, { files })
    expect(await getText(await connect(), 'touch')).toContain('touched')
  })

  test('without agreement offers nothing, and tells the client’s model who can change it', async () => {
    const { connect, folder } = await run({}, { files })
    const client = await connect()
    expect(await getNames(client)).toEqual([])
    expect(client.getInstructions()).toContain('4 of the tools and servers of this folder')
    expect(client.getInstructions()).toContain(JSON.stringify(folder))
  })
})

test('services with one store continue the calls of each other that ask their client', async () => {
  const asking = `const { answers = {} } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool
const question = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
const text = 'answered: ' + answers.sure
console.log(JSON.stringify({ content: [answers.sure ? { type: 'text', text } : { type: 'question', question }] }))`
  const toml = `[tools.sweep]
source = "local"
command = ["node", "ask.cjs"]
parameters = {}
run = "unattended"
[store]
url = "sqlite:own.db"
`
  const commandContext = createContext({ 'toolblocks.toml': toml, 'ask.cjs': asking })
  vi.stubEnv('OWN_TOKEN', 'mine')
  const options = { trust: true, tokenEnv: 'OWN_TOKEN' }
  const [one, two] = [
    await run(options, { commandContext }),
    await run(options, { commandContext }),
  ]
  const post = async (url: string, params: object): Promise<Record<string, unknown>> => {
    const meta = 'io.modelcontextprotocol'
    const _meta = {
      [`${meta}/protocolVersion`]: '2026-07-28',
      [`${meta}/clientInfo`]: { name: 'editor', version: '3' },
      [`${meta}/clientCapabilities`]: { elicitation: { form: {} } },
    }
    const answered = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: 'Bearer mine',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'sweep',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'sweep', ...params, _meta },
      }),
    })
    const { result } = (await answered.json()) as { result: Record<string, unknown> }
    return result
  }
  const { requestState, inputRequests } = await post(one.url, {})
  const [key = ''] = Object.keys(Object(inputRequests) as object)
  const inputResponses = { [key]: { action: 'accept', content: { sure: true, value: true } } }
  const continued = await post(two.url, { requestState, inputResponses })
  expect(continued).toMatchObject({ content: [{ text: 'answered: true' }] })
})

test('programs that are named are served from their folder', async () => {
  const { connect } = await run({}, { files: { 'a.txt': '' }, programs: ['ls'] })
  expect(await getText(await connect(), 'ls')).toContain('a.txt')
})

test.for<[ServeCommandOptions, string]>([
  [{ http: 0, tokenEnv: 'UNSET_TOKEN' }, 'this environment variable is not set'],
  [{ install: 'claude', host: '::1' }, '--host needs --http'],
  [{ http: 0, install: 'claude' }, '--install cannot be used with --http'],
  [{ http: 0, timeout: 3 }, '--timeout needs --server'],
  [{ http: 0, results: 'no-host' }, 'expected host, as-is or a known host: claude-code, '],
  [{ http: 0, host: '256.1.1.1' }, '256.1.1.1'],
])('%j is refused with a reason', async ([options, why]) => {
  const { context, readStderr } = createContext()
  expect(await serveTools(context, ['ls'], options)).toBe(2)
  expect(readStderr()).toContain(why)
})
