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
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../stage/folder.ts'
import { serveOverHttp } from '../stage/mcp-client.ts'
import {
  type MarkedServer,
  SHARED_TOKEN,
  startSessionServer,
  startSharedServer,
} from './marked-servers.ts'
import { TOOLS } from './marked-server.ts'

/** The number of random sequences; the weekly soak has more. */
const RUNS = Number(process.env['TOOLBLOCKS_RANDOM_STEPS'] ?? 200)
const NAMES = ['ann', 'bob', 'eve'] as const
type Name = (typeof NAMES)[number]

/** A client, and every message that it has received. */
interface Person {
  mark: string
  heard: string[]
  /** Sends a request and returns its result as JSON. */
  request(method: string, params: Record<string, unknown>, signal?: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** What one client does. */
type Step =
  | { kind: 'call'; who: Name; server: 'marked' | 'shared'; tool: string }
  | { kind: 'cancel'; who: Name; server: 'marked' | 'shared'; afterMs: number }
  | { kind: 'prompt' | 'read' | 'complete' | 'subscribe' | 'level'; who: Name }
  | { kind: 'leave'; who: Name }

/** What happens to a server. */
interface Restart {
  kind: 'restart'
  server: 'marked' | 'shared'
  afterMs: number
  pauseMs: number
}

/** Both servers, and the gateway before them. They end with the test. */
interface Stage {
  servers: Record<'marked' | 'shared', MarkedServer>
  url: URL
  headers: { authorization: string }
}

async function setUp(): Promise<Stage> {
  const marked = await startSessionServer()
  onTestFinished(marked.close)
  const shared = await startSharedServer()
  onTestFinished(shared.close)
  const served = await serveOverHttp(makeFolder({}), [
    '--server',
    `marked=${marked.url}`,
    '--server',
    `shared=${shared.url}`,
    '--header',
    `Authorization: Bearer ${SHARED_TOKEN}`,
    '--no-record',
    '--no-pin',
  ])
  return { servers: { marked, shared }, ...served }
}

/** Connects a client whose answers contain its mark. */
async function connect({ url, headers }: Stage, name: Name, mark: string): Promise<Person> {
  const heard: string[] = []
  const answers = {
    elicit: { action: 'accept' as const, content: { name: mark } },
    sample: {
      role: 'assistant' as const,
      model: 'm',
      content: { type: 'text' as const, text: `model of ${mark}` },
    },
    roots: { roots: [{ uri: `file:///${mark}` }] },
  }
  if (name === 'eve') {
    const client = new LaterClient(
      { name, version: '1' },
      {
        capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    )
    client.setRequestHandler('elicitation/create', async () => answers.elicit)
    client.setRequestHandler('sampling/createMessage', async () => answers.sample)
    client.setRequestHandler('roots/list', async () => answers.roots)
    const transport = new LaterTransport(url, { requestInit: { headers } })
    await client.connect(transport)
    record(transport, heard)
    return {
      mark,
      heard,
      request: async (method, params, signal) =>
        JSON.stringify(await askLater(client, method, params, signal)),
      close: async () => await client.close(),
    }
  }
  const client = new Client(
    { name, version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, () => answers.elicit)
  client.setRequestHandler(CreateMessageRequestSchema, () => answers.sample)
  client.setRequestHandler(ListRootsRequestSchema, () => answers.roots)
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  await client.connect(transport)
  record(transport, heard)
  return {
    mark,
    heard,
    request: async (method, params, signal) =>
      JSON.stringify(
        await client.request({ method, params }, ResultSchema, {
          ...(signal && { signal }),
          onprogress: () => undefined,
        }),
      ),
    close: async () => {
      await transport.terminateSession()
      await client.close()
    },
  }
}

/** Sends a request with the client of MCP 2026-07-28, whose functions answer the questions in results. */
async function askLater(
  client: LaterClient,
  method: string,
  params: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const options = { ...(signal && { signal }), onprogress: () => undefined }
  switch (method) {
    case 'tools/call':
      return await client.callTool(
        { name: String(params['name']), arguments: Object(params['arguments']) },
        options,
      )
    case 'prompts/get':
      return await client.getPrompt(
        { name: String(params['name']), arguments: Object(params['arguments']) },
        options,
      )
    default:
      return await client.readResource({ uri: String(params['uri']) }, options)
  }
}

/** Records every message that arrives. */
function record(
  transport: { onmessage?: ((message: never, extra?: never) => void) | undefined },
  heard: string[],
): void {
  const receive = transport.onmessage
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has one listener
  transport.onmessage = (message, extra) => {
    heard.push(JSON.stringify(message))
    receive?.(message, extra)
  }
}

/** Does a step, and returns what the client received if it must contain its mark. */
async function perform(
  step: Exclude<Step, { kind: 'leave' }>,
  person: Person,
): Promise<string | undefined> {
  const { mark } = person
  switch (step.kind) {
    case 'call':
      return await person.request('tools/call', {
        name: `${step.server}__${step.tool}`,
        arguments: { mark },
      })
    case 'cancel': {
      const signal = AbortSignal.timeout(step.afterMs)
      const params = { name: `${step.server}__slow`, arguments: { mark } }
      await person.request('tools/call', params, signal).catch(() => undefined)
      return undefined
    }
    case 'prompt':
      return await person.request('prompts/get', { name: 'marked__greet', arguments: { mark } })
    case 'read':
      return await person.request('resources/read', { uri: `note:${mark}` })
    case 'complete':
      if (step.who === 'eve') return undefined
      return await person.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'marked__greet' },
        argument: { name: 'mark', value: mark },
      })
    case 'subscribe':
      if (step.who !== 'eve') await person.request('resources/subscribe', { uri: `note:${mark}` })
      return undefined
    case 'level':
      if (step.who !== 'eve') await person.request('logging/setLevel', { level: 'info' })
      return undefined
  }
}

/** Milliseconds in which each client must be served again after the restart of a server. */
const AGAIN_MS = 20_000

/** Expects that a client which stays connected is served by a server that has been restarted, also if it makes several calls at once. */
async function expectServedAgain(person: Person, server: Restart['server']): Promise<void> {
  const tools = server === 'marked' ? ['say', 'look', 'ask'] : ['say', 'ask']
  const until = performance.now() + AGAIN_MS
  await Promise.all(
    tools.map(async (tool) => {
      for (;;) {
        const call = { name: `${server}__${tool}`, arguments: { mark: person.mark } }
        const got = await person.request('tools/call', call).catch(String)
        if (got.includes(person.mark)) return
        if (performance.now() > until)
          throw new Error(`${call.name} of ${person.mark} after a restart got ${got}`)
        await pause(50)
      }
    }),
  )
}

const who = fc.constantFrom(...NAMES)
const step: fc.Arbitrary<Step | Restart> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      who,
      server: fc.constant('marked' as const),
      tool: fc.constantFrom(...TOOLS.filter((tool) => tool !== 'slow')),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      who,
      server: fc.constant('shared' as const),
      tool: fc.constantFrom('say', 'ask', 'progress'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      who,
      server: fc.constantFrom('marked' as const, 'shared' as const),
      afterMs: fc.integer({ min: 1, max: 60 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'prompt' as const,
        'read' as const,
        'complete' as const,
        'subscribe' as const,
        'level' as const,
      ),
      who,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      server: fc.constantFrom('marked' as const, 'shared' as const),
      afterMs: fc.integer({ min: 0, max: 30 }),
      pauseMs: fc.integer({ min: 0, max: 60 }),
    }),
  },
)

/** Groups of steps that are done at the same time. */
const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 6,
})

let run = 0

test(
  'promise several clients: whatever three clients do at two servers, also while these are restarted, each message that one receives is about itself, each answer is its own, and each client is served again',
  async () => {
    const stage = await setUp()
    await fc.assert(
      fc.asyncProperty(groups, async (all) => {
        run += 1
        const getMark = (name: Name): string => `<${name}-${run}>`
        const people: Record<string, Person> = Object.fromEntries(
          await Promise.all(
            NAMES.map(async (name) => [name, await connect(stage, name, getMark(name))]),
          ),
        )
        try {
          for (const group of all) await performGroup(group, { stage, people, getMark })
        } finally {
          await Promise.all(Object.values(people).map(async (each) => await each.close()))
        }
        for (const { mark, heard } of Object.values(people)) expectOwn(heard, mark)
      }),
      { numRuns: RUNS, endOnFailure: false },
    )
  },
  Math.max(120_000, RUNS * 4000),
)

/**
 * Does all steps at once. What a client does while it leaves, or at a server that is restarted, may fail. Afterwards each client is served by each
 * server that was restarted.
 */
async function performGroup(
  group: readonly (Step | Restart)[],
  {
    stage,
    people,
    getMark,
  }: { stage: Stage; people: Record<string, Person>; getMark: (name: Name) => string },
): Promise<void> {
  const leaving = new Set(group.flatMap((each) => (each.kind === 'leave' ? [each.who] : [])))
  const restarts = group.filter((each) => each.kind === 'restart')
  const restarted = new Set(restarts.map(({ server }) => server))
  async function restart(server: Restart['server']): Promise<void> {
    // One after the other: a server ends once before it starts.
    for (const { afterMs, pauseMs } of restarts.filter((each) => each.server === server)) {
      await pause(afterMs)
      await stage.servers[server].restart(pauseMs)
    }
  }
  async function performStep(each: Step): Promise<void> {
    const person = people[each.who]
    if (!person) throw new Error('an unknown client')
    if (each.kind === 'leave') return await person.close().catch(() => undefined)
    const performed = perform(each, person)
    if (leaving.has(each.who) || restarted.has('server' in each ? each.server : 'marked'))
      return void (await performed.catch(() => undefined))
    const got = await performed
    if (got?.includes(person.mark) === false)
      throw new Error(`${JSON.stringify(each)} of ${person.mark} got ${got}`)
  }
  await Promise.all([
    ...group.map(async (each) => (each.kind === 'restart' ? undefined : await performStep(each))),
    ...[...restarted].map(restart),
  ])
  for (const name of leaving) {
    const { mark, heard } = people[name] ?? { mark: '', heard: [] }
    expectOwn(heard, mark)
    people[name] = await connect(stage, name, getMark(name))
  }
  await Promise.all(
    [...restarted].flatMap((server) =>
      Object.values(people).map(async (person) => await expectServedAgain(person, server)),
    ),
  )
}

/** Expects that no message contains the mark of another client or of an earlier run. */
function expectOwn(heard: readonly string[], own: string): void {
  for (const message of heard)
    for (const [mark] of message.matchAll(/<(?:ann|bob|eve)-\d+>/g)) expect(mark, message).toBe(own)
}
