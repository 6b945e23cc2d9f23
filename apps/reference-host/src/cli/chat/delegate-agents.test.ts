import { type StoredEvent, openStore } from '@toolblocks/conversation-store'
import type { ModelRequest } from '@toolblocks/formatter'
import { aiSdkProfile } from '@toolblocks/ai-sdk/internal'
import {
  type ContentBlock,
  type Tool,
  booleanQuestion,
  createSuccessResult,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { formatOptions } from '../../workspace/configuration/agent-settings.ts'
import { parseConfiguration } from '../../workspace/configuration/parse-configuration.ts'
import { PNG, data, serve } from '../../../../../packages/ai-sdk/src/model/streams.support.ts'
import { type Model, openConversation, type TurnEnd, type TurnEvent } from '@toolblocks/agent'
import { runConversation } from './run-conversation.ts'
import type { AskedPeople } from '../../terminal/share-screen.ts'

const MODEL = (url: string): string => `[model]
provider = "openai-compatible"
name = "large"
base_url = "${url}"
api_key_env = "PLAYER_KEY"
instructions = "Be brief."
max_output_tokens = 321
`

interface Led {
  end: TurnEnd
  moments: TurnEvent[]
  /** The events of each conversation, by its id. */
  events: ReadonlyMap<string, readonly StoredEvent['event'][]>
  /** The result of the first call. */
  result: Extract<TurnEvent, { type: 'result' }>['result']
}

/** Runs a turn whose model delegates work to the agents of these tables. */
async function lead(
  agents: string,
  model: Model,
  {
    entries = [],
    people = {},
    url = 'http://127.0.0.1:1',
  }: { entries?: readonly ToolEntry[]; people?: AskedPeople; url?: string } = {},
): Promise<Led> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-agents-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'))
  vi.stubEnv('PLAYER_KEY', 'the key')
  onTestFinished(() => void vi.unstubAllEnvs())
  const parsed = await parseConfiguration(`${MODEL(url)}${agents}`, join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const conversation = await openConversation(store, 'whole')
  const agent = runConversation({
    configuration,
    workspace: { written: { configuration, servers: [] }, listWants: () => [] },
    format: formatOptions(configuration),
    model,
    profile: aiSdkProfile({ provider: 'openai.responses', modelId: 'm' }),
    conversation,
    tools: {
      entries: () => entries,
      beginTurn: async () => entries,
    },
    rules: [],
    people,
  })
  const moments: TurnEvent[] = []
  const { signal } = new AbortController()
  const end = await agent.runTurn([{ type: 'text', text: 'Begin.' }], {
    signal,
    show: (moment) => void moments.push(moment),
  })
  await agent.close()
  const { conversations } = await store.list({ limit: 100 })
  const read = conversations.map(async ({ id }) => {
    const { events } = await store.read(id, { limit: Infinity })
    return [id, events.map(({ event }) => event)] as const
  })
  const results = moments.flatMap((moment) => (moment.type === 'result' ? [moment.result] : []))
  return { end, moments, events: new Map(await Promise.all(read)), result: results[0]! }
}

/** Returns the last text of a message that is not from the model. */
function lastWords({ messages }: ModelRequest): string {
  const last = messages.findLast(({ role }) => role === 'user')
  const [block] = last?.role === 'user' ? last.content : []
  return block?.type === 'text' ? block.text : ''
}

/** Creates a model that makes the calls of the last message, one after the other, and then reports that they are done. */
function modelThatCalls(
  messages: Readonly<Record<string, readonly (readonly (readonly [string, object])[])[]>>,
): { model: Model; asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  return {
    asked,
    model: async function* say(request) {
      asked.push(request)
      const prompt = lastWords(request)
      const results = request.messages.filter(({ role }) => role === 'tool').length
      const calls = (messages[prompt]?.[results] ?? []).map(([name, values], index) => ({
        id: `${name}-${asked.length}.${index}`,
        name,
        arguments: { ...values },
      }))
      const text = { type: 'text', text: `${prompt} is done.` } as const
      const content = calls.length > 0 ? [] : [text]
      yield {
        type: 'message',
        message: { role: 'assistant', content, calls },
        usage: { inputTokens: 100, outputTokens: 10 },
      }
    },
  }
}

function makeTool(
  name: string,
  content: () => readonly ContentBlock[] | Promise<readonly ContentBlock[]>,
): Tool {
  return {
    name,
    inputSchema: { type: 'object' },
    execute: async () => createSuccessResult(await content()),
  }
}

const delegate = (agent: string, task = 'Review.') => [['delegate', { agent, task }]] as const

const resource = (more: object): readonly ContentBlock[] => [
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a resource with text or bytes
  { type: 'resource', resource: { uri: 'file:///w/a', ...more } } as ContentBlock,
]

test('the requests of an agent use its own table, and [model] for all other settings', async () => {
  const { model, asked } = modelThatCalls({
    'Begin.': [[...delegate('strict', 'Be strict.'), ...delegate('plain', 'Be plain.')]],
    'Be strict.': [[['look', {}]]],
  })
  const entries: ToolEntry[] = ['look', 'wipe'].map((name) => ({
    tool: makeTool(name, () => [{ type: 'text', text: `of ${name}` }]),
    policy: 'unattended',
  }))
  const { end, events, moments, result } = await lead(
    `[agents.strict]
summary = "Reviews."
instructions = "You are strict."
max_output_tokens = 77
tools = ["look"]
[agents.plain]
summary = "Does the rest."
`,
    model,
    { entries },
  )
  expect(end).toBe('completed')
  const findRequest = (prompt: string): ModelRequest | undefined =>
    asked.find((request) => lastWords(request) === prompt)
  const getNames = (prompt: string): readonly string[] =>
    findRequest(prompt)?.tools.map(({ name }) => name) ?? []
  const delegating = findRequest('Begin.')?.tools.find(({ name }) => name === 'delegate')
  expect(delegating?.summary).toContain('- strict: Reviews.\n- plain: Does the rest.')
  expect(delegating?.inputSchema).toMatchObject({
    properties: { agent: { enum: ['strict', 'plain'] } },
  })
  const settings = { instructions: 'Be brief.', maxOutputTokens: 321 }
  expect(findRequest('Begin.')).toMatchObject(settings)
  expect(findRequest('Be plain.')).toMatchObject(settings)
  expect(findRequest('Be strict.')).toMatchObject({
    instructions: 'You are strict.',
    maxOutputTokens: 77,
    messages: [{ role: 'user', content: [{ text: 'Be strict.' }] }],
  })
  expect(getNames('Be strict.')).toEqual(['look', 'read_tool_result'])
  expect(getNames('Be plain.')).toEqual(['look', 'wipe', 'read_tool_result'])

  expect(result).toMatchObject({
    isError: false,
    content: [{ text: 'Be strict. is done.' }],
    metadata: { agent: 'strict', tokens: 220, outcome: 'completed' },
  })
  const id = String(result.metadata?.conversationId)
  expect(events.get(id)?.[0]).toEqual({
    type: 'configuration',
    values: {
      agent: 'strict',
      instructions: 'You are strict.',
      tools: ['look'],
      parent: { conversationId: 'whole', callId: 'delegate-1.0' },
    },
  })
  const kept = events.get(id)?.map(({ type }) => type)
  expect(kept).toContain('tool_result')
  const inner = moments.flatMap((moment) =>
    moment.type === 'delegated' && moment.agent === 'strict' ? [moment.moment.type] : [],
  )
  expect(inner).toEqual(['asking', 'message', 'call', 'ended', 'result', 'asking', 'message'])
})

test('an agent with its own model uses the same provider, and receives what that model accepts, in the format of the conversation', async () => {
  const choice = (delta: object, finish: string): string =>
    data({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })
  const call = (name: string): { lines: readonly string[] } => ({
    lines: [
      choice(
        { tool_calls: [{ index: 0, id: name, function: { name, arguments: '{}' } }] },
        'tool_calls',
      ),
      data({ id: 'x', choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } }),
      'data: [DONE]\n\n',
    ],
  })
  const { url, bodies } = await serve(call('text'), call('picture'), call('again'), {
    lines: [choice({ content: 'Seen.' }, 'stop'), 'data: [DONE]\n\n'],
  })
  const { model } = modelThatCalls({ 'Begin.': [delegate('small')] })
  const blob = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(600)]).toString('base64')
  const entries: ToolEntry[] = [
    { tool: makeTool('text', () => resource({ text: 'notes' })), policy: 'unattended' },
    {
      tool: makeTool('picture', () => resource({ mimeType: 'image/png', blob })),
      policy: 'unattended',
    },
    {
      tool: makeTool('again', () => resource({ mimeType: 'image/png', blob })),
      policy: 'unattended',
    },
  ]
  const { result, events } = await lead(
    '[agents.small]\nsummary = "Looks."\nmodel = "small"\n',
    model,
    { entries, url },
  )
  expect(result).toMatchObject({ isError: false, content: [{ text: 'Seen.' }] })
  expect(Number(result.metadata?.tokens)).toBeGreaterThan(36)
  expect(bodies).toHaveLength(4)
  for (const body of bodies) expect(body).toMatchObject({ model: 'small', max_tokens: 321 })
  const last = JSON.stringify(bodies[3])
  expect(last).toContain('Be brief.')
  expect(last).toContain('Resource file:///w/a')
  const kept = events.get(String(result.metadata?.conversationId))
  // The model of the conversation would get a reference to the picture. This model has never received the picture.
  expect(JSON.stringify(kept)).toContain('file:///w/a, image/png')
  expect(JSON.stringify(kept)).not.toContain('has not changed')
  expect(kept?.[0]).toMatchObject({
    values: { agent: 'small', model: 'small' },
  })
})

test('an agent that shares a model receives pictures as the model accepts them', async () => {
  const blob = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(600)]).toString('base64')
  const { model, asked } = modelThatCalls({
    'Begin.': [delegate('sharing')],
    'Review.': [[['picture', {}]], [['picture', {}]]],
  })
  const entries: ToolEntry[] = [
    {
      tool: makeTool('picture', () => resource({ mimeType: 'image/png', blob })),
      policy: 'unattended',
    },
  ]
  await lead('[agents.sharing]\nsummary = "Looks."\n', model, { entries })
  const last = asked.findLast((request) => lastWords(request) === 'Review.')
  expect(JSON.stringify(last?.messages)).toContain('has not changed since')
})

test('people see which agent asks, their time does not count for the agent, and nested agents know their parents', async () => {
  const { model } = modelThatCalls({
    'Begin.': [delegate('outer', 'Outer.')],
    'Outer.': [[['delegate', { agent: 'inner', task: 'Inner.' }]]],
    'Inner.': [
      [
        ['asks', {}],
        ['wipe', {}],
      ],
    ],
  })
  let isAnswered = false
  const question = booleanQuestion({ id: 'go', text: 'Go on?' })
  const entries: ToolEntry[] = [
    {
      tool: makeTool('asks', () => (isAnswered ? [] : [{ type: 'question', question }])),
      policy: 'unattended',
    },
    { tool: makeTool('wipe', () => []) },
  ]
  const put: string[] = []
  const people: AskedPeople = {
    user: async ({ id, text, schema }) => {
      put.push(`${id} ${JSON.stringify(schema)}: ${text}`)
      // More time than either agent may use, which can be long on a busy machine.
      await sleep(4500)
      isAnswered = true
      return { action: 'accept', value: true }
    },
    approve: async (call, { agents }) => {
      put.push(`${agents?.join(' ')}: ${call.name}`)
      return { decision: 'allowed' }
    },
  }
  const { end, events, result, moments } = await lead(
    `[agents.outer]
summary = "Plans."
timeout_secs = 4.1
[agents.inner]
summary = "Works."
max_depth = 2
timeout_secs = 4
`,
    model,
    { entries, people },
  )
  expect([end, result.isError]).toEqual(['completed', false])
  expect(put.toSorted()).toEqual([
    'go {"type":"boolean"}: Agent outer: Agent inner: Go on?',
    'outer inner: wipe',
  ])
  const parents = [...events].flatMap(([id, [first]]) =>
    first?.type === 'configuration' ? [[id, first.values] as const] : [],
  )
  const [outer] = parents.filter(([, { agent }]) => agent === 'outer')
  const [inner] = parents.filter(([, { agent }]) => agent === 'inner')
  expect(outer?.[1]['parent']).toMatchObject({ conversationId: 'whole' })
  expect(inner?.[1]['parent']).toMatchObject({ conversationId: outer?.[0] })
  const [whole] = moments.filter(({ type }) => type === 'result')
  expect(whole?.type === 'result' && whole.milliseconds).toBeLessThan(4400)
})

test('an agent of an agent uses its own table, and [model] for all other settings', async () => {
  const { model, asked } = modelThatCalls({
    'Begin.': [delegate('outer', 'Outer.')],
    'Outer.': [[['delegate', { agent: 'inner', task: 'Inner.' }]]],
  })
  await lead(
    `[agents.outer]
summary = "Plans."
instructions = "You plan."
max_output_tokens = 77
[agents.inner]
summary = "Works."
max_depth = 2
`,
    model,
  )
  const inner = asked.find((request) => lastWords(request) === 'Inner.')
  expect(inner).toMatchObject({ instructions: 'Be brief.', maxOutputTokens: 321 })
})

test('a stopped agent reports what stopped it, and its progress', async () => {
  const { model } = modelThatCalls({
    'Begin.': [[...delegate('late', 'Late.'), ...delegate('dear', 'Dear.')]],
    'Late.': [[['slow', {}]]],
    'Dear.': [[['quick', {}]], [['quick', {}]]],
  })
  const entries: ToolEntry[] = [
    {
      tool: {
        ...makeTool('slow', () => []),
        execute: async (_, { signal }) => {
          await sleep(20_000, undefined, { signal }).catch(() => undefined)
          return createSuccessResult([])
        },
      },
      policy: 'unattended',
    },
    { tool: makeTool('quick', () => []), policy: 'unattended' },
  ]
  const { moments } = await lead(
    `[agents.late]
summary = "Takes long."
timeout_secs = 0.3
[agents.dear]
summary = "Takes much."
max_tokens = 150
`,
    model,
    { entries },
  )
  const results = moments.flatMap((moment) => (moment.type === 'result' ? [moment.result] : []))
  const known = { conversationId: expect.any(String) }
  expect(results).toMatchObject([
    {
      isError: true,
      content: [{ text: expect.stringContaining('"late" was stopped after 0.3 seconds') }],
      metadata: { ...known, agent: 'late', tokens: 110, outcome: 'timeout' },
    },
    {
      isError: true,
      content: [{ text: expect.stringContaining('it has used 220 tokens, and its limit is 150') }],
      metadata: { ...known, agent: 'dear', tokens: 220 },
    },
  ])
})
