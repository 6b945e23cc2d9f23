import { anthropicProfile } from '@toolblocks/formatter/anthropic'
import { gemini2Profile } from '@toolblocks/formatter/google'
import { openAiChatProfile, openAiResponsesProfile } from '@toolblocks/formatter/openai'
import { createSuccessResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { watchTelemetry } from '../../protocol/src/telemetry/open-telemetry.support.ts'
import { createAgent } from './create-agent.ts'
import { type Model, ModelError } from './model.ts'
import { openConversation } from './open-conversation.ts'
import { traceModel, traceTurns } from './trace-agent.ts'
import { go, openMemory, signal } from './waiting.support.ts'

const REQUEST = { messages: [], tools: [], maxOutputTokens: 500 }
const USAGE = {
  inputTokens: 60,
  outputTokens: 5,
  cachedInputTokens: 40,
  cacheWriteTokens: 10,
}

async function readAll(model: Model): Promise<void> {
  for await (const event of model(REQUEST, signal)) expect(event.type).not.toBe('reasoning')
}

/** A model that calls the tool `greet` once. */
function callingModel(): Model {
  let turns = 0
  return async function* answer() {
    turns += 1
    const calls = turns === 1 ? [{ id: 'c1', name: 'greet', arguments: { who: 'Ada' } }] : []
    const content = [{ type: 'text', text: 'secret text' } as const]
    yield { type: 'text', text: 'secret text' }
    yield {
      type: 'message',
      message: { role: 'assistant', content, calls },
      model: 'claude-x-1',
      usage: USAGE,
    }
  }
}

describe('an agent with telemetry', () => {
  test('has a span of each turn, with its requests and its calls', async () => {
    const { telemetry, spans, series } = watchTelemetry()
    const store = await openMemory()
    const agent = createAgent({
      model: callingModel(),
      modelName: 'claude-x',
      profile: anthropicProfile,
      root: '/',
      conversation: await openConversation(store, 'c'),
      tools: () => [
        {
          tool: {
            name: 'greet',
            inputSchema: { type: 'object' },
            execute: async () => createSuccessResult([{ type: 'text', text: 'secret result' }]),
          },
          policy: 'unattended',
        },
      ],
      telemetry,
    })
    await agent.runTurn(go, { signal })
    const turn = spans().find(({ name }) => name === 'invoke_agent')
    expect(turn).toMatchObject({ kind: 'internal', parent: undefined, isError: false })
    expect(turn?.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.conversation.id': 'c',
    })
    const inTurn = spans().filter(({ parent }) => parent === turn?.id)
    expect(inTurn.map(({ name }) => name)).toEqual([
      'chat claude-x',
      'execute_tool greet',
      'chat claude-x',
    ])
    const both = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-x',
      'gen_ai.response.model': 'claude-x-1',
    }
    expect(inTurn[0]?.kind).toBe('client')
    expect(inTurn[0]?.attributes).toEqual({
      ...both,
      'gen_ai.conversation.id': 'c',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 60,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.cache_creation.input_tokens': 10,
    })
    expect(JSON.stringify(spans())).not.toContain('secret')
    expect(await series('gen_ai.client.token.usage')).toMatchObject([
      { count: 2, sum: 120, attributes: { ...both, 'gen_ai.token.type': 'input' } },
      { count: 2, sum: 10, attributes: { ...both, 'gen_ai.token.type': 'output' } },
    ])
    expect(await series('gen_ai.client.operation.duration')).toMatchObject([
      { count: 2, attributes: both },
    ])
    expect(await series('gen_ai.invoke_agent.duration')).toMatchObject([{ count: 1 }])
  })

  test('an agent that is given work is a turn inside the call', async () => {
    const { telemetry, spans } = watchTelemetry()
    const store = await openMemory()
    let asked = 0
    const model: Model = async function* answer() {
      asked += 1
      const calls =
        asked === 1
          ? [{ id: 'd1', name: 'delegate', arguments: { agent: 'reader', task: 'Read.' } }]
          : []
      yield {
        type: 'message',
        message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }], calls },
      }
    }
    const agent = createAgent({
      model,
      modelName: 'm',
      root: '/',
      conversation: await openConversation(store, 'c'),
      tools: () => [],
      agents: { reader: { summary: 'Reads.' } },
      telemetry,
    })
    await agent.runTurn(go, { signal })
    const find = (name: string) => spans().find((span) => span.name === name)
    const inner = find('invoke_agent reader')
    expect(inner?.parent).toBe(find('execute_tool delegate')?.id)
    expect(inner?.attributes['gen_ai.agent.name']).toBe('reader')
    expect(spans().find(({ parent }) => parent === inner?.id)?.name).toBe('chat m')
  })
})

describe('traceModel()', () => {
  test.for([
    [new ModelError('unavailable', 'secret', { status: 529 }), '529'],
    [new ModelError('refused', 'secret'), 'refused'],
    [new TypeError('secret'), 'TypeError'],
  ] as const)('says why a model did not respond: %s', async ([error, expected]) => {
    const { telemetry, spans, series } = watchTelemetry()
    const failing: Model = async function* answer() {
      yield { type: 'text', text: 'a' }
      throw error
    }
    const model = traceModel(failing, { profile: gemini2Profile }, { telemetry, conversation: 'c' })
    await expect(readAll(model)).rejects.toBe(error)
    expect(spans()).toMatchObject([
      {
        name: 'chat',
        isError: true,
        attributes: {
          'error.type': expected,
          'gen_ai.provider.name': 'gcp.gemini',
          'gen_ai.request.max_tokens': 500,
        },
      },
    ])
    expect(JSON.stringify(spans())).not.toContain('secret')
    expect(await series('gen_ai.client.token.usage')).toEqual([])
  })

  test('ends the span of a request that nobody reads to its end', async () => {
    const { telemetry, spans } = watchTelemetry()
    let isClosed = false
    const endless: Model = async function* answer() {
      try {
        for (;;) yield { type: 'text', text: 'a' }
      } finally {
        isClosed = true
      }
    }
    const model = traceModel(endless, {}, { telemetry, conversation: 'c' })
    for await (const event of model(REQUEST, signal)) if (event.type === 'text') break
    expect(isClosed).toBe(true)
    expect(spans()).toMatchObject([{ attributes: { 'error.type': '_OTHER' } }])
  })

  test('reports messages only if the host wants them', async () => {
    const { telemetry, spans } = watchTelemetry({ captureContent: true })
    const model = traceModel(callingModel(), {}, { telemetry, conversation: 'c' })
    const request = { ...REQUEST, instructions: 'Be brief.' }
    for await (const event of model(request, signal)) expect(event).toBeDefined()
    expect(spans()[0]?.attributes).toMatchObject({
      'gen_ai.system_instructions': '"Be brief."',
      'gen_ai.input.messages': '[]',
    })
    expect(spans()[0]?.attributes['gen_ai.output.messages']).toContain('secret text')
  })

  test.for([
    [{ cut: 'tokens' }, 'length'],
    [{ cut: 'filter' }, 'content_filter'],
    [{}, 'stop'],
  ] as const)('says why a response has ended: %j', async ([more, reason]) => {
    const { telemetry, spans, series } = watchTelemetry({ captureContent: true })
    const message = { role: 'assistant', content: [], calls: [] } as const
    const one: Model = async function* answer() {
      yield { type: 'message', message, ...more }
    }
    await readAll(traceModel(one, {}, { telemetry, conversation: 'c' }))
    const { attributes } = spans()[0] ?? {}
    expect(attributes?.['gen_ai.response.finish_reasons']).toEqual([reason])
    expect(attributes).not.toHaveProperty('gen_ai.system_instructions')
    expect(attributes?.['gen_ai.provider.name']).toBe('_OTHER')
    expect(await series('gen_ai.client.token.usage')).toEqual([])
  })

  test.for([
    [anthropicProfile, 'anthropic'],
    [openAiResponsesProfile, 'openai'],
    [openAiChatProfile, 'openai'],
    [gemini2Profile, 'gcp.gemini'],
  ] as const)('names the provider as the conventions do', async ([profile, name]) => {
    const { telemetry, spans } = watchTelemetry()
    await readAll(traceModel(callingModel(), { profile }, { telemetry, conversation: 'c' }))
    expect(spans()[0]?.attributes['gen_ai.provider.name']).toBe(name)
  })

  test('returns the same model without telemetry', () => {
    const model = callingModel()
    expect(traceModel(model, {}, { telemetry: undefined, conversation: 'c' })).toBe(model)
  })
})

describe('traceTurns()', () => {
  const about = { agent: undefined, conversation: 'c' }

  test.for([
    ['completed', undefined],
    ['parked', undefined],
    [undefined, undefined],
    ['aborted', 'cancelled'],
    ['too-long', 'too-long'],
    ['cut', 'cut'],
  ] as const)('a turn that ended as %s has the error %s', async ([end, error]) => {
    const { telemetry, spans } = watchTelemetry()
    expect(await traceTurns(telemetry, about)(async () => end)).toBe(end)
    expect(spans()[0]?.attributes['error.type']).toBe(error)
    expect(spans()[0]?.isError).toBe(error !== undefined)
  })

  test('a turn that fails has the class of the failure', async () => {
    const { telemetry, spans } = watchTelemetry()
    const error = new ModelError('refused', 'secret', { status: 400 })
    const failing = traceTurns(
      telemetry,
      about,
    )(async () => {
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(spans()).toMatchObject([{ isError: true, attributes: { 'error.type': '400' } }])
  })

  test('without telemetry a turn is unchanged', async () => {
    expect(await traceTurns(undefined, about)(async () => 'cut')).toBe('cut')
  })
})
