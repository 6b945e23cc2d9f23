import { openStore } from '@toolblocks/conversation-store'
import type { ModelRequest } from '@toolblocks/formatter'
import { aiSdkProfile } from '@toolblocks/ai-sdk/internal'
import {
  type ContentBlock,
  type Tool,
  type ToolContext,
  type ToolResult,
  booleanQuestion,
  createSuccessResult,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { placeRules } from '../../workspace/consent/rule-sources.ts'
import { formatOptions } from '../../workspace/configuration/agent-settings.ts'
import { parseConfiguration } from '../../workspace/configuration/parse-configuration.ts'
import { PNG, data, serve } from '../../../../../packages/ai-sdk/src/model/streams.support.ts'
import { type Model, type TurnEvent, openConversation } from '@toolblocks/agent'
import { runConversation, type ConversationOptions } from './run-conversation.ts'

/** The settings of a model request in these tests. */
const SETTINGS = { instructions: 'Be brief.', maxOutputTokens: 321 }

const TOML = (url: string): string => `[format]
structured = "both"
[deduplication]
min_bytes = 500
[budget]
per_result = 3000
per_turn = 9000
[model]
provider = "openai-compatible"
name = "large"
base_url = "${url}"
api_key_env = "PLAYER_KEY"
instructions = "Be brief."
max_output_tokens = 321
`

/** Creates a folder with this configuration, and all parts of its agent except the model and the tools. */
async function openParts(
  url: string,
): Promise<Omit<ConversationOptions, 'model' | 'tools' | 'people'>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-player-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'))
  vi.stubEnv('PLAYER_KEY', 'the key')
  onTestFinished(() => void vi.unstubAllEnvs())
  const parsed = await parseConfiguration(TOML(url), join(root, 'toolblocks.toml'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const { configuration } = parsed
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  return {
    configuration,
    workspace: { written: { configuration, servers: [] }, listWants: () => [] },
    format: formatOptions(configuration),
    profile: aiSdkProfile({ provider: 'openai.responses', modelId: 'm' }),
    conversation: await openConversation(store, 'c'),
    rules: placeRules(['allow ruled(path in docs)'], 'command line'),
  }
}

function tool(name: string, execute: (context: ToolContext) => unknown): Tool {
  return {
    name,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    execute: async (_, context) => {
      const output = await execute(context)
      return typeof output === 'string'
        ? createSuccessResult([{ type: 'text', text: output }])
        : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests below give results
          (output as ToolResult)
    },
  }
}

const asking = (id: string, before: readonly ContentBlock[] = []): ToolResult =>
  createSuccessResult([
    ...before,
    { type: 'question', question: booleanQuestion({ id, text: `${id}?` }) },
  ])

/** Creates a model that makes these calls, one message after the other, and answers the questions of a tool. */
function modelThatCalls(messages: readonly (readonly string[])[]): {
  model: Model
  asked: ModelRequest[]
  answered: ModelRequest[]
} {
  const asked: ModelRequest[] = []
  const answered: ModelRequest[] = []
  return {
    asked,
    answered,
    model: async function* say(request) {
      const isQuestion = request.toolChoice === 'required'
      const list = isQuestion ? answered : asked
      const named = isQuestion ? ['answer'] : (messages[list.length] ?? [])
      list.push(request)
      const calls = named.map((name, index) => ({
        id: `${name}-${list.length}.${index}`,
        name,
        arguments: isQuestion ? { answer: true } : { path: 'docs/a' },
      }))
      yield { type: 'message', message: { role: 'assistant', content: [], calls } }
    },
  }
}

/** More bytes than the limit up to which content is sent again. */
const PICTURE = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(600)]).toString('base64')

const resource = (name: string, size: number): ContentBlock => ({
  type: 'resource',
  resource: { uri: `file:///w/${name}`, text: 'x'.repeat(size) },
})

test('every part of a conversation reaches the model, the tools, the people and the store', async () => {
  const { url, bodies } = await serve({
    lines: [
      data({
        id: 'x',
        choices: [
          {
            index: 0,
            delta: {
              tool_calls: [
                { index: 0, id: 'i', function: { name: 'answer', arguments: '{"answer":true}' } },
              ],
            },
            finish_reason: 'tool_calls',
          },
        ],
      }),
      'data: [DONE]\n\n',
    ],
  })
  const parts = await openParts(url)
  const { configuration, conversation } = parts
  const { root } = configuration
  const { model, asked, answered } = modelThatCalls([
    ['where', 'asks', 'once', 'ruled'],
    ['once', 'small', 'large', 'picture', 'both'],
    ['small', 'large', 'fresh', 'picture', 'big'],
  ])
  const bothWays = { ...createSuccessResult([{ type: 'text', text: '{"n":1}' }]) }
  const entries: ToolEntry[] = [
    {
      tool: tool('where', async ({ root: toolRoot, conversationId, keepBytes }) => {
        const kept = await keepBytes?.(new Uint8Array([1]), { call: 'c', stream: 'stdout' })
        return `${toolRoot} ${conversationId} ${kept?.bytes}`
      }),
      policy: 'unattended',
    },
    {
      tool: tool('asks', ({ answers }) => {
        if (answers['person'] === undefined) return asking('person')
        if (answers['model'] === undefined) return asking('model')
        return answers['other'] === undefined
          ? asking('other', [resource('notes.txt', 3)])
          : 'all is answered'
      }),
      policy: 'unattended',
      routes: {
        model: { target: 'assistant' },
        other: { target: { settings: { name: 'small', instructions: 'Be careful.' } } },
      },
    },
    { tool: tool('once', () => 'allowed') },
    { tool: tool('ruled', () => 'by a rule') },
    {
      tool: tool('small', () => createSuccessResult([resource('small', 400)])),
      policy: 'unattended',
    },
    {
      tool: tool('large', () => createSuccessResult([resource('large', 600)])),
      policy: 'unattended',
    },
    {
      tool: tool('fresh', () => createSuccessResult([resource('large', 600)])),
      policy: 'unattended',
      deduplicate: false,
    },
    {
      tool: tool('picture', () =>
        createSuccessResult([
          {
            type: 'resource',
            resource: { uri: 'file:///w/a.png', mimeType: 'image/png', blob: PICTURE },
          },
        ]),
      ),
      policy: 'unattended',
    },
    {
      tool: tool('both', () => ({ ...bothWays, structuredContent: { n: 1 } })),
      policy: 'unattended',
    },
    { tool: tool('big', () => 'y'.repeat(9000)), policy: 'unattended' },
  ]
  const put: string[] = []
  const approvals: string[] = []
  const beside: string[] = []
  let isAsking = false
  const agent = runConversation({
    ...parts,
    model,
    tools: {
      entries: () => [],
      beginTurn: async () => entries,
    },
    people: {
      user: async ({ id }) => {
        put.push(id)
        isAsking = true
        if (id === 'person') await sleep(1500)
        isAsking = false
        return { action: 'accept', value: true }
      },
      approve: async (call) => {
        approvals.push(call.name)
        isAsking = true
        await sleep(100)
        isAsking = false
        return { decision: 'allowed', remember: 'conversation' }
      },
    },
  })
  onTestFinished(async () => await agent.close())
  const moments: TurnEvent[] = []
  const stops: string[] = []
  const { signal } = new AbortController()
  const end = await agent.runTurn([{ type: 'text', text: 'Go.' }], {
    signal,
    callCancellation: {
      begin: () => {
        stops.push('begin')
        return signal
      },
      end: () => void stops.push('end'),
    },
    show: (moment) => {
      moments.push(moment)
      // The question whether a call continues is shown on a line that does not disturb a prompt.
      if (isAsking && moment.type !== 'ended') beside.push(moment.type)
    },
  })
  // Output waits until the open prompt is answered.
  expect(beside).toEqual([])
  expect([end, stops]).toEqual(['completed', ['begin', 'end', 'begin', 'end', 'begin', 'end']])

  for (const request of asked) expect(request).toMatchObject(SETTINGS)
  const offered = asked[0]?.tools.map(({ name }) => name) ?? []
  expect(offered).toEqual(expect.arrayContaining(['where', 'read_tool_result']))
  expect(offered).not.toContain('refresh_resource')
  expect(answered).toMatchObject([SETTINGS])
  expect(JSON.stringify(answered[0]?.messages)).toContain('Go.')
  expect(bodies).toMatchObject([{ model: 'small', max_tokens: 321 }])
  expect(JSON.stringify(bodies[0])).toContain('Be careful.')
  expect(JSON.stringify(bodies[0])).toContain('Resource file:///w/notes.txt')
  expect(JSON.stringify(bodies[0])).not.toContain('Be brief.')

  expect([put.toSorted(), approvals]).toEqual([['person'], ['once']])
  const answeredMoments = moments.filter(({ type }) => type === 'answered')
  expect(answeredMoments).toMatchObject([
    { type: 'answered', request: { id: 'model' }, answer: { action: 'accept', value: true } },
    { type: 'answered', request: { id: 'other' }, answer: { action: 'accept', value: true } },
  ])
  const results = moments.flatMap((moment) => (moment.type === 'result' ? [moment] : []))
  const times = new Map(results.map(({ call, milliseconds }) => [call.id, milliseconds]))
  expect(times.get('asks-1.1')).toBeLessThan(1400)

  const getDelivered = (id: string): string =>
    results.find(({ call }) => call.id === id)?.delivered.text ?? 'not given'
  expect(getDelivered('where-1.0')).toBe(`${root} c 1`)
  expect(getDelivered('asks-1.1')).toBe('all is answered')
  expect(getDelivered('once-2.0')).toBe('allowed')
  expect(getDelivered('ruled-1.3')).toBe('by a rule')
  expect(getDelivered('small-3.0')).toContain('xxx')
  expect(getDelivered('large-3.1')).toContain('has not changed since')
  expect(getDelivered('fresh-3.2')).toContain('xxx')
  expect(getDelivered('fresh-3.2')).toContain('Resource file:///w/large')
  expect(getDelivered('picture-3.3')).toContain('has not changed since')
  expect(getDelivered('both-2.4').match(/"n":1/g)).toHaveLength(2)
  expect(getDelivered('big-3.4')).toContain('The tool read_tool_result reads all of it')
  expect(getDelivered('big-3.4').length).toBeLessThan(3500)

  const { events } = await conversation.store.read('c', { limit: Infinity })
  const kept = events.map(({ event }) => event)
  expect(kept.filter(({ type }) => type === 'approval')).toMatchObject([
    {
      callId: 'ruled-1.3',
      by: 'rule',
      decision: 'allowed',
      rule: 'ruled(path in docs)',
      source: 'command line',
    },
    { callId: 'once-1.2', by: 'user', decision: 'allowed' },
    { callId: 'once-2.0', by: 'rule', decision: 'allowed', rule: 'once', source: 'stored' },
  ])
  const recorded = kept.flatMap((event) => (event.type === 'question' ? [event.question.id] : []))
  expect(recorded).toEqual(['person', 'model', 'other'])
  const turnsOf = kept.flatMap((event) =>
    event.type === 'delivery' ? event.deliveries.map(({ turn }) => turn) : [],
  )
  expect(new Set(turnsOf)).toEqual(new Set([1]))
})

test('without people, calls that need approval are denied, and the turn continues', async () => {
  const parts = await openParts('http://127.0.0.1:1')
  const { model } = modelThatCalls([['once', 'asks']])
  const entries: ToolEntry[] = [
    { tool: tool('once', () => 'never') },
    { tool: tool('asks', () => asking('person')), policy: 'unattended' },
  ]
  const agent = runConversation({
    ...parts,
    model,
    tools: { entries: () => [], beginTurn: async () => entries },
    people: {},
  })
  onTestFinished(async () => await agent.close())
  const outcomes: unknown[] = []
  const { signal } = new AbortController()
  const end = await agent.runTurn([], {
    signal,
    show: (moment) => {
      if (moment.type === 'result') outcomes.push(moment.result.metadata?.outcome)
    },
  })
  expect([end, outcomes]).toEqual(['completed', ['denied', 'unanswered']])
})

test('a cancelled turn cancels its calls, and the next turn has the next number', async () => {
  const parts = await openParts('http://127.0.0.1:1')
  const end = new AbortController()
  const { model } = modelThatCalls([['stops'], [], ['large']])
  const entries: ToolEntry[] = [
    {
      tool: tool('stops', ({ signal }) => {
        end.abort()
        return String(signal.aborted)
      }),
      policy: 'unattended',
    },
    {
      tool: tool('large', () => createSuccessResult([resource('large', 600)])),
      policy: 'unattended',
    },
  ]
  const agent = runConversation({
    ...parts,
    model,
    tools: { entries: () => [], beginTurn: async () => entries },
    people: {},
  })
  onTestFinished(async () => await agent.close())
  expect(await agent.runTurn([], { signal: end.signal })).toBe('aborted')
  const { signal } = new AbortController()
  await agent.runTurn([], { signal })
  await agent.runTurn([], { signal })
  const { events } = await parts.conversation.store.read('c', { limit: Infinity })
  const kept = events.map(({ event }) => event)
  expect(JSON.stringify(kept)).toContain('"text":"true"')
  const [delivery] = kept.flatMap((event) =>
    event.type === 'delivery' && event.deliveries.length > 0 ? [event] : [],
  )
  expect(delivery?.deliveries).toMatchObject([{ uri: 'file:///w/large', turn: 3 }])
})
