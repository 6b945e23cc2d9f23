import { fileURLToPath } from 'node:url'
import { Client as LaterClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as LaterTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { expect, inject, onTestFinished, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder } from '../stage/folder.ts'

const PROGRAM = fileURLToPath(new URL('marked-program.ts', import.meta.url))
const VERSIONS = ['2025-11-25', '2026-07-28'] as const
type Version = (typeof VERSIONS)[number]

/** A message of either direction, as far as this file reads it. */
interface Message {
  id?: unknown
  method?: string
  params?: { arguments?: { mark?: string } }
}

/** A client of one version over standard streams. */
interface Caller {
  /** Calls a tool whose every message contains the mark, and returns the result as JSON. */
  call(tool: string, mark: string, signal?: AbortSignal): Promise<string>
  close(): Promise<void>
  /** Answers to calls, as JSON, with the mark of the call that each answers. */
  answers: { mark: string; message: string }[]
}

/** Answers what a server asks, from the text of the question. May wait. */
type AnswerMark = (question: string) => Promise<void>

const getMark = (text: unknown): string => /<[^>]+>/.exec(JSON.stringify(text))?.[0] ?? ''

/** What is served, in which folder, and what is awaited before each answer to a question. */
interface Stage {
  folder?: string
  args?: readonly string[]
  before?: AnswerMark
  /** Default: everything that a server may ask for. */
  capabilities?: typeof ALL | typeof NONE
}

const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} }
const NONE = {}

const SERVER = ['--server', `marked="${process.execPath}" ${PROGRAM}`, '--no-record', '--no-pin']

/** Serves over standard streams, and connects a client. */
async function connect(
  version: Version,
  {
    folder = makeFolder({}),
    args = SERVER,
    before = async () => {},
    capabilities = ALL,
  }: Stage = {},
): Promise<Caller> {
  const entry = {
    command: process.execPath,
    args: [inject('command'), 'serve', ...args, '--start-wait', '30'],
    cwd: folder,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing in it is undefined
    env: { ...process.env } as Record<string, string>,
    stderr: 'ignore' as const,
  }
  const elicit = async (params: object) => {
    await before(JSON.stringify(params))
    return { action: 'accept' as const, content: { name: `answer to ${getMark(params)}` } }
  }
  const sample = async (params: object) => {
    await before(JSON.stringify(params))
    const text = `model of ${getMark(params)}`
    return { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text } }
  }
  const roots = async () => {
    await before('roots')
    return { roots: [{ uri: 'file:///home' }] }
  }
  const answers: Caller['answers'] = []
  if (version === '2026-07-28') {
    const client = new LaterClient(
      { name: 'later', version: '1' },
      {
        capabilities,
        versionNegotiation: { mode: { pin: version } },
      },
    )
    if (capabilities === ALL) {
      client.setRequestHandler('elicitation/create', async ({ params }) => await elicit(params))
      client.setRequestHandler('sampling/createMessage', async ({ params }) => await sample(params))
      client.setRequestHandler('roots/list', roots)
    }
    const transport = new LaterTransport(entry)
    onTestFinished(async () => await client.close())
    await client.connect(transport)
    record(transport, answers)
    return {
      answers,
      close: async () => await client.close(),
      call: async (name, mark, signal) =>
        JSON.stringify(
          await client.callTool({ name, arguments: { mark } }, { ...(signal && { signal }) }),
        ),
    }
  }
  const client = new Client(
    { name: 'session', version: '1' },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => await elicit(params))
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => await sample(params))
  client.setRequestHandler(ListRootsRequestSchema, roots)
  const transport = new StdioClientTransport(entry)
  onTestFinished(async () => await client.close())
  await client.connect(transport)
  record(transport, answers)
  return {
    answers,
    close: async () => await client.close(),
    call: async (name, mark, signal) =>
      JSON.stringify(
        await client.callTool({ name, arguments: { mark } }, undefined, {
          ...(signal && { signal }),
        }),
      ),
  }
}

/** Records the answers to calls: results, and in MCP 2026-07-28 questions. */
function record(
  transport: {
    send: (message: never, ...more: never[]) => Promise<void>
    onmessage?: ((message: never, extra?: never) => void) | undefined
  },
  answers: Caller['answers'],
): void {
  const marks = new Map<unknown, string>()
  const { send, onmessage: receive } = transport
  transport.send = async (message: never, ...more: never[]) => {
    const { id, method, params } = message as Message
    if (method === 'tools/call') marks.set(id, params?.arguments?.mark ?? '')
    await send.call(transport, message, ...more)
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has one listener
  transport.onmessage = (message, extra) => {
    const { id, method } = message as Message
    const mark = marks.get(id)
    if (method === undefined && mark !== undefined)
      answers.push({ mark, message: JSON.stringify(message) })
    receive?.(message, extra)
  }
}

/** Expects that each answer to a call contains no mark of another one. */
function expectOwn({ answers }: Caller): void {
  expect(answers.length).toBeGreaterThan(0)
  for (const { mark, message } of answers)
    for (const [match] of message.matchAll(/<[^>]+>/g)) expect(match, message).toBe(mark)
}

const EXPECTED = {
  ask: (mark: string) => `answer to ${mark}`,
  think: (mark: string) => `model of ${mark}`,
  look: () => 'file:///home',
}
const TOOLS = Object.keys(EXPECTED) as (keyof typeof EXPECTED)[]

for (const version of VERSIONS) {
  test(`promise several calls: each of many parallel calls of a client of MCP ${version} over standard streams is asked its own questions, and gets its own answers`, async () => {
    const caller = await connect(version)
    const calls = Array.from({ length: 3 }, (_, index) =>
      TOOLS.map((tool) => [tool, `<${tool}-${index}>`] as const),
    ).flat()
    const results = await Promise.all(
      calls.map(async ([tool, mark]) => await caller.call(tool, mark)),
    )
    expect(results.map((result) => JSON.parse(result).content[0].text)).toEqual(
      calls.map(([tool, mark]) => expect.stringContaining(EXPECTED[tool](mark))),
    )
    expectOwn(caller)
  })

  test(`promise several calls: while a person thinks about a question of one call, other calls of a client of MCP ${version} over standard streams are asked and end`, async () => {
    const { promise: thought, resolve: decide } = Promise.withResolvers<void>()
    const { promise: asked, resolve: sayAsked } = Promise.withResolvers<void>()
    const caller = await connect(version, {
      before: async (question) => {
        if (!question.includes('<slow>')) return
        sayAsked()
        await thought
      },
    })
    const slow = caller.call('ask', '<slow>')
    await asked
    for (const tool of TOOLS)
      expect(await caller.call(tool, `<${tool}>`)).toContain(EXPECTED[tool](`<${tool}>`))
    expect(await caller.call('say', '<said>')).toContain('said <said>')
    decide()
    expect(await slow).toContain('answer to <slow>')
    expectOwn(caller)
  })

  test(`promise several calls: a call that a client of MCP ${version} over standard streams cancels takes no question of another call with it`, async () => {
    const ending = new AbortController()
    const caller = await connect(version, {
      before: async (question) => {
        if (question.includes('<ask>')) ending.abort()
      },
    })
    const cancelled = caller.call('slow', '<slow>', ending.signal).catch(() => 'cancelled')
    expect(await caller.call('ask', '<ask>')).toContain('answer to <ask>')
    expect(await cancelled).toBe('cancelled')
    expectOwn(caller)
  })
}

const WORKSPACE = `[store]
url = "sqlite:calls.db"

[mcp.servers.marked]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(PROGRAM)}]
run = "unattended"
`

async function makeWorkspace(more = ''): Promise<string> {
  const folder = makeFolder({ 'toolblocks.toml': WORKSPACE + more })
  return folder
}

/** Returns the programs of two calls: of one that runs alone, and of one that runs beside another one. */
async function findPrograms(stage: Stage): Promise<readonly (string | undefined)[]> {
  const caller = await connect('2026-07-28', { args: [], ...stage })
  const find = async (mark: string): Promise<string | undefined> =>
    /program (\d+)/.exec(await caller.call('marked__program', mark))?.[1]
  const alone = await find('<alone>')
  const ending = new AbortController()
  const slow = caller.call('marked__slow', '<slow>', ending.signal).catch(() => undefined)
  const beside = await find('<beside>')
  ending.abort()
  await slow
  return [alone, beside]
}

test.for<[string, { capabilities?: typeof NONE; settings?: string }, 'another' | 'the same']>([
  ['uses another program', {}, 'another'],
  ['uses the same program if the client cannot be asked', { capabilities: NONE }, 'the same'],
  ['uses the same program if the server is shared', { settings: 'share = true\n' }, 'the same'],
])(
  'promise several calls: over standard streams, a call of a client of MCP 2026-07-28 that runs beside another one %s',
  async ([, { settings, ...client }, expected]) => {
    const [alone, beside] = await findPrograms({ folder: await makeWorkspace(settings), ...client })
    expect(alone).toBeDefined()
    expect(beside === alone ? 'the same' : 'another').toBe(expected)
  },
)

test('promise several calls: parallel calls of a client of MCP 2026-07-28 are one turn of one conversation in the record', async () => {
  const folder = await makeWorkspace()
  // Each is answered when both are asked.
  let asked = 0
  const { promise: both, resolve } = Promise.withResolvers<void>()
  const caller = await connect('2026-07-28', {
    folder,
    args: [],
    before: async () => {
      asked += 1
      if (asked === 2) resolve()
      await both
    },
  })
  await Promise.all(
    ['<one>', '<two>'].map(async (mark) =>
      expect(await caller.call('marked__ask', mark)).toContain(`answer to ${mark}`),
    ),
  )
  await caller.close()
  const args = ['conversations', 'export', 'latest', '--output', 'jsonl']
  const { stdout } = await toolblocks(folder, ...args)
  const types = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).event.type)
  const count = (type: string): number => types.filter((each) => each === type).length
  expect(['configuration', 'turn_start', 'tool_call', 'tool_result'].map(count)).toEqual([
    1, 1, 2, 2,
  ])
})
