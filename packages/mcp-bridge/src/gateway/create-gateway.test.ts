import { fileURLToPath } from 'node:url'
import { createRequire } from 'node:module'
import {
  Client as LaterClient,
  StreamableHTTPClientTransport as LaterTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CallToolResultSchema,
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerConfig, ServerTransport } from '../client/server-config.ts'
import type { ServedClient } from '../server/served-features.ts'
import { bearer } from '../testing/served.support.ts'
import { serveGateway } from '../testing/served-gateway.support.ts'
import type { RunningHttpService } from '../serve-http.ts'
import { createGateway } from './create-gateway.ts'

const FEATURES: ServerTransport = {
  kind: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('../testing/feature-server.support.ts', import.meta.url))],
}

const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
)
/** The published server with most features of MCP 2025-11-25. */
const EVERYTHING: ServerTransport = {
  kind: 'stdio',
  command: process.execPath,
  args: [manifest.replace('package.json', 'dist/index.js'), 'stdio'],
}

const ODD: ServerTransport = {
  kind: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('../testing/odd-server.support.ts', import.meta.url))],
}

/** Serves servers through a gateway, with their own names if there is one. */
async function open(...configs: readonly ServerConfig[]): Promise<RunningHttpService> {
  return (await serveGateway(configs)).served
}

const features: ServerConfig = {
  name: 'features',
  transport: FEATURES,
  protocolVersion: '2026-07-28',
  toolNames: 'own',
}
const everything: ServerConfig = { name: 'all', transport: EVERYTHING, toolNames: 'own' }

/** Fills in the form of the server that asks. */
function answerForm(asked: string): Record<string, string> {
  if (asked.includes('"interpretation"')) return { interpretation: 'programming' }
  return asked.includes('"tone"') ? { tone: 'kind' } : { name: 'Ann' }
}

/** A client of MCP 2025-11-25 that has a form, a model and roots. */
async function connectSession(served: RunningHttpService): Promise<Client> {
  const client = new Client(
    { name: 'session', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
    action: 'accept',
    content: answerForm(JSON.stringify(params)),
  }))
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///w' }] }))
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'Hello.' },
  }))
  const transport = new StreamableHTTPClientTransport(new URL(served.url), {
    requestInit: { headers: bearer(served) },
  })
  onTestFinished(async () => await client.close())
  await client.connect(transport)
  return client
}

/** A client of MCP 2026-07-28 that has the same. */
async function connectStateless(served: RunningHttpService): Promise<LaterClient> {
  const client = new LaterClient(
    { name: 'stateless', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => ({
    action: 'accept',
    content: answerForm(JSON.stringify(params)),
  }))
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///w' }] }))
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'Hello.' },
  }))
  onTestFinished(async () => await client.close())
  await client.connect(
    new LaterTransport(new URL(served.url), { requestInit: { headers: bearer(served) } }),
  )
  return client
}

const connectors = { '2025-11-25': connectSession, '2026-07-28': connectStateless } as const

describe.for(['2025-11-25', '2026-07-28'] as const)('a client of MCP %s', (version) => {
  const connectClient = connectors[version]

  test('reaches the features of a server of 2026-07-28, which asks it during a prompt', async () => {
    const client = await connectClient(await open(features))
    expect(client.getServerVersion()).toMatchObject({
      name: 'ours',
      title: 'Features',
      websiteUrl: 'https://example.com/',
    })
    expect(client.getInstructions()).toBe('Use all features.')
    expect(client.getServerCapabilities()).toMatchObject({
      prompts: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      completions: {},
    })
    expect((await client.listPrompts()).prompts).toEqual([
      { name: 'greet', title: 'Greet', arguments: [{ name: 'who', required: true }] },
      { name: 'plain' },
    ])
    const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ann' } })
    const [message] = prompt.messages
    expect(JSON.parse(message?.content.type === 'text' ? message.content.text : '')).toEqual([
      { who: 'Ann' },
      {
        form: { action: 'accept', content: { tone: 'kind' } },
        folders: { roots: [{ uri: 'file:///w' }] },
        text: { role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello.' } },
      },
    ])
    expect((await client.listResources()).resources).toEqual([
      { uri: 'note:a', name: 'a', mimeType: 'text/plain', size: 3 },
    ])
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'note:{name}' },
    ])
    expect((await client.readResource({ uri: 'note:a' })).contents).toEqual([
      { uri: 'note:a', text: 'abc', _meta: { 'a.b/c': 1 } },
    ])
    const ref = { type: 'ref/prompt', name: 'greet' } as const
    expect(await client.complete({ ref, argument: { name: 'who', value: 'A' } })).toMatchObject({
      completion: { values: ['A!'] },
    })
  })

  test('reaches the features of a server of 2025-11-25', async () => {
    const client = await connectClient(await open(everything))
    expect(client.getServerVersion()).toMatchObject({ title: 'Everything Reference Server' })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['echo', 'trigger-sampling-request']))
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toContain('args-prompt')
    const prompt = await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } })
    expect(JSON.stringify(prompt.messages)).toContain('Oslo')
    const { resources } = await client.listResources()
    const [first] = resources
    expect(resources.length).toBeGreaterThan(3)
    expect((await client.readResource({ uri: first?.uri ?? '' })).contents).toHaveLength(1)
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2)
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
    const completed = await client.complete({ ref, argument: { name: 'department', value: 'E' } })
    expect(completed.completion.values).toEqual(['Engineering'])
    const missing = client.readResource({ uri: 'demo://none' })
    await expect(missing).rejects.toMatchObject({ code: -32_602 })
  })

  test('is asked for a model, roots and forms by the tools of a server of 2025-11-25', async () => {
    const client = await connectClient(await open(everything))
    const sampled = await client.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'Hi.', maxTokens: 5 },
    })
    expect(JSON.stringify(sampled.content)).toContain('Hello.')
    const roots = await client.callTool({ name: 'get-roots-list', arguments: {} })
    expect(JSON.stringify(roots.content)).toContain('file:///w')
    const asked = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} })
    expect(JSON.stringify(asked.content)).toContain('Ann')
  })
})

test('a session follows a tool of a server as a task, and answers its question', async () => {
  const client = await connectSession(await open(everything))
  await client.listTools()
  const messages: string[] = []
  const stream = client.experimental.tasks.callToolStream(
    { name: 'simulate-research-query', arguments: { topic: 'python', ambiguous: true } },
    CallToolResultSchema,
    { task: { ttl: 60_000 } },
  )
  for await (const message of stream)
    messages.push(message.type === 'result' ? JSON.stringify(message.result) : message.type)
  expect([messages[0], messages.at(-1)]).toEqual([
    'taskCreated',
    expect.stringMatching(/Research Report: python.*programming/),
  ])
})

test('a session receives log messages and updates of the resources that it has subscribed to', async () => {
  const client = await connectSession(await open(everything))
  const logged = Promise.withResolvers<unknown>()
  const updated = Promise.withResolvers<unknown>()
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
    logged.resolve(params.level),
  )
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    updated.resolve(params.uri),
  )
  await client.setLoggingLevel('debug')
  const [first] = (await client.listResources()).resources
  await client.subscribeResource({ uri: first?.uri ?? '' })
  await client.callTool({ name: 'toggle-simulated-logging', arguments: {} })
  await client.callTool({ name: 'toggle-subscriber-updates', arguments: {} })
  expect(await logged.promise).toEqual(expect.any(String))
  expect(await updated.promise).toBe(first?.uri)
}, 30_000)

/** Collects the resources whose changes a client is told of. */
function collectUpdates(client: Client): string[] {
  const updated: string[] = []
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updated.push(params.uri)
    expect(params._meta).toBeUndefined()
  })
  return updated
}

test('a session hears that the visit of a page is complete, with the id of the question', async () => {
  const client = new Client(
    { name: 'visitor', version: '1' },
    { capabilities: { elicitation: { url: {} } } },
  )
  const heard: unknown[] = []
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    heard.push('elicitationId' in params && params.elicitationId)
    return { action: 'accept' }
  })
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    heard.push(params)
  })
  const served = await open({ name: 'odd', transport: ODD, toolNames: 'own' })
  onTestFinished(async () => await client.close())
  const requestInit = { headers: bearer(served) }
  await client.connect(new StreamableHTTPClientTransport(new URL(served.url), { requestInit }))
  const page = {
    mode: 'url',
    message: 'Log in.',
    url: 'https://example.com/',
    elicitationId: 'e-7',
  }
  const { content } = await client.callTool({ name: 'visit-page', arguments: { params: page } })
  expect(JSON.stringify(content)).toContain('accept')
  await expect.poll(() => heard).toEqual(['e-7', { elicitationId: 'e-7' }])
})

test('a session hears of changes at a server of 2026-07-28, which announces them on streams', async () => {
  const client = await connectSession(await open(features))
  const updated = collectUpdates(client)
  const { promise: changed, resolve: onChanged } = Promise.withResolvers<void>()
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => onChanged())
  await client.callTool({ name: 'touch', arguments: {} })
  await changed
  expect(updated).toEqual([])
  await client.subscribeResource({ uri: 'note:a' })
  await client.callTool({ name: 'touch', arguments: {} })
  await expect.poll(() => updated).toEqual(['note:a'])
})

test('a subscription is made at every server, and lasts until the last of its clients has ended it', async () => {
  const served = await open(
    { ...everything, toolNames: 'prefixed' },
    { ...features, toolNames: 'prefixed' },
  )
  const [one, other] = [await connectSession(served), await connectSession(served)]
  const [ofOne, ofOther] = [collectUpdates(one), collectUpdates(other)]
  await one.subscribeResource({ uri: 'note:a' })
  await other.subscribeResource({ uri: 'note:a' })
  await one.unsubscribeResource({ uri: 'note:a' })
  await other.callTool({ name: 'features__touch', arguments: {} })
  await expect.poll(() => ofOther).toEqual(['note:a'])
  expect(ofOne).toEqual([])
  await other.unsubscribeResource({ uri: 'note:a' })
  await one.subscribeResource({ uri: 'note:a' })
  await one.callTool({ name: 'features__touch', arguments: {} })
  await expect.poll(() => ofOne).toEqual(['note:a'])
  expect(ofOther).toEqual(['note:a'])
})

test('several servers: prompts have the names of their servers, and every page and resource is reached', async () => {
  const served = await open(
    { ...features, toolNames: 'prefixed' },
    { ...everything, toolNames: 'prefixed' },
  )
  const client = await connectSession(served)
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listPrompts(cursor === undefined ? {} : { cursor })
    names.push(...page.prompts.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(names).toEqual(expect.arrayContaining(['features__greet', 'all__args-prompt']))
  const prompt = await client.getPrompt({ name: 'all__args-prompt', arguments: { city: 'Oslo' } })
  expect(JSON.stringify(prompt.messages)).toContain('Oslo')
  expect((await client.readResource({ uri: 'note:b' })).contents).toHaveLength(1)
  await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({ code: -32_602 })
  await expect(client.listPrompts({ cursor: 'e30' })).rejects.toMatchObject({ code: -32_602 })
})

const ALL = { elicitation: {}, sampling: {}, roots: {} }
const client = (id: string, capabilities: object = ALL): ServedClient => ({
  id,
  protocolVersion: '2025-11-25',
  capabilities: { ...capabilities },
  identity: '',
  request: async () => ({ kind: 'result', result: { from: id } }),
  notify: () => undefined,
})
const never = new AbortController().signal
const called = { id: 'c', name: 't', arguments: {} }

test('a server learns what its client declares, and can ask nothing else', () => {
  const hooks = createGateway(client('one', { sampling: { tools: {} } })).createHooks('s')
  expect(hooks).toMatchObject({ canAsk: false, capabilities: { sampling: { tools: {} } } })
  expect([hooks.createMessage, hooks.listRoots]).toEqual([expect.any(Function), undefined])
  const form = createGateway(client('two', { elicitation: { form: {} } }))
  expect(form.createHooks('s')).toMatchObject({
    canAsk: true,
    capabilities: { elicitation: { form: {} } },
  })
})

test('calls of a client of MCP 2026-07-28 that run at the same time cannot be told apart, and a server that asks is refused', async () => {
  const gateway = createGateway({ capabilities: ALL })
  const { createMessage } = gateway.createHooks('s')
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const call = gateway.during(async () => {
    await over
    return { content: [], isError: false }
  })
  const context = { signal: never, root: '/' }
  const running = [call(called, context, client('one'))]
  expect(await createMessage?.({}, never)).toEqual({ from: 'one' })
  running.push(call({ ...called, id: 'd' }, context, client('two')))
  await expect(createMessage?.({}, never)).rejects.toThrow('unknown which call')
  expect(await createMessage?.({}, never, called)).toEqual({ from: 'one' })
  end()
  await Promise.all(running)
})
