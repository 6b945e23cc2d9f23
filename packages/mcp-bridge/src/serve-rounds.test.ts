import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import type { RunningHttpService } from './serve-http.ts'
import { postCall, VERSION } from './testing/post-call.support.ts'
import { getServerConfig, serve, text, type Execute } from './testing/served.support.ts'
import { answering, call, connect, connectOdd, firstText } from './testing/servers.support.ts'

/** A tool that asks two questions, one after the other, and counts its runs. */
function asksTwice(): { execute: Execute; ids: string[] } {
  const ids: string[] = []
  return {
    ids,
    execute: async (toolCall, { ask, signal }) => {
      ids.push(toolCall.id)
      const put = async (id: string): Promise<unknown> =>
        await ask?.user?.(
          { id, text: `${id}?`, schema: { type: 'boolean' } },
          { blocks: [], source: { kind: 'question', call: toolCall }, signal },
        )
      return text(JSON.stringify([await put('one'), await put('two')]))
    },
  }
}

const yes = { action: 'accept', content: { value: true } }

describe('a question', () => {
  test('ends the round; the call waits for the answer, and runs once', async () => {
    const { execute, ids } = asksTwice()
    const server = await connect(
      { ...getServerConfig(await serve(execute)), protocolVersion: '2026-07-28' },
      { canAsk: true },
    )
    const { ask, asked } = answering(({ id }) =>
      id === 'one' ? { action: 'accept', value: { value: true } } : { action: 'decline' },
    )
    expect(JSON.parse(firstText(await call(server, 'tool', {}, { ask })))).toEqual([
      { action: 'accept', value: true },
      { action: 'decline' },
    ])
    expect(asked.map(({ request }) => request.id)).toEqual(['one', 'two'])
    expect(ids).toHaveLength(1)
  })

  test('of a server that is served again also ends the round, and the server receives the answer to its one question', async () => {
    const odd = await connectOdd({}, { canAsk: true })
    const params = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
    const outcomes: unknown[] = []
    const served = await serve(async (_call, { ask, signal }) => {
      const result = await call(
        odd,
        'elicit',
        { params },
        { signal, ...(ask?.user && { ask: ask.user }) },
      )
      outcomes.push(result.metadata?.outcome)
      return result
    })
    const server = await connect(
      { ...getServerConfig(served), protocolVersion: '2026-07-28' },
      { canAsk: true },
    )
    const { ask, asked } = answering(() => ({ action: 'accept', value: {} }))
    expect(firstText(await call(server, 'tool', {}, { ask }))).toBe(
      '{"action":"accept","content":{}}',
    )
    expect([asked.length, outcomes]).toEqual([1, [undefined]])
  })

  test('that nobody answers leaves room for the calls of others', async () => {
    const served = await serve(asksTwice().execute)
    const kinds: unknown[] = []
    for (let count = 0; count < 70; count += 1) {
      const { result } = await postCall(served, {})
      kinds.push(isJsonObject(result) && result['resultType'])
    }
    expect(new Set(kinds)).toEqual(new Set(['input_required']))
  })

  test('that a retry omits is asked again', async () => {
    const served = await serve(asksTwice().execute)
    const { result: first } = await postCall(served, {})
    const requestState = isJsonObject(first) ? first['requestState'] : undefined
    expect(await postCall(served, { requestState, inputResponses: { other: yes } })).toMatchObject({
      result: { resultType: 'input_required', inputRequests: { one: {} } },
    })
  })

  test.for<[string, JsonObject, Parameters<typeof postCall>[2], string]>([
    ['other arguments', { arguments: { a: 2 } }, {}, 'for other arguments'],
    ['another client', {}, { client: 'other' }, 'another client'],
    ['a state of one’s own', { requestState: 'e30' }, {}, 'was not issued by this server'],
  ])('is not answered with %s', async ([, change, options, message]) => {
    const served = await serve(asksTwice().execute)
    const params = { arguments: { a: 1 } }
    const { result } = await postCall(served, params)
    const requestState = isJsonObject(result) ? result['requestState'] : undefined
    const retry = { ...params, requestState, inputResponses: { one: yes }, ...change }
    expect(await postCall(served, retry, options)).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining(message) },
    })
  })

  test('that was answered once is not answered again: one yes runs a tool once', async () => {
    let runs = 0
    const served = await serve(async (toolCall, { ask, signal }) => {
      const source = { kind: 'question', call: toolCall } as const
      const request = { id: 'run', text: 'Run it?', schema: { type: 'boolean' } }
      const answer = await ask?.user?.(request, { blocks: [], source, signal })
      if (answer?.action === 'accept') runs += 1
      return text('done')
    })
    const { result } = await postCall(served, {})
    const requestState = isJsonObject(result) ? result['requestState'] : undefined
    const retry = { requestState, inputResponses: { run: yes } }
    const both = await Promise.all([postCall(served, retry), postCall(served, retry)])
    expect(both.filter((each) => 'result' in each)).toHaveLength(1)
    expect(both.find((each) => 'error' in each)).toMatchObject({
      error: { code: -32_602, message: expect.stringContaining('was already used') },
    })
    expect(await postCall(served, retry)).toMatchObject({ error: { code: -32_602 } })
    expect(runs).toBe(1)
  })

  test('is answered by another server only if it has the same key', async () => {
    const options = { token: 'abc', stateKey: new Uint8Array(32).fill(7) }
    const [one, two] = [asksTwice(), asksTwice()]
    const { result } = await postCall(await serve(one.execute, {}, options), {})
    const requestState = isJsonObject(result) ? result['requestState'] : undefined
    const retry = { requestState, inputResponses: { one: yes } }
    expect(await postCall(await serve(two.execute, {}, options), retry)).toMatchObject({
      result: { resultType: 'input_required', inputRequests: { two: {} } },
    })
    expect(two.ids).toEqual([`${one.ids[0]}.2`])
    const other = { ...options, stateKey: new Uint8Array(32).fill(8) }
    expect(await postCall(await serve(two.execute, {}, other), retry)).toMatchObject({
      error: { code: -32_602 },
    })
  })

  test('whose text has changed since it was answered is asked again, by another server with the same key', async () => {
    const options = { token: 'abc', stateKey: new Uint8Array(32).fill(7) }
    const planning = async (plan: string): Promise<RunningHttpService> =>
      await serve(
        async (toolCall, { ask, signal }) => {
          const source = { kind: 'question', call: toolCall } as const
          const request = { id: 'sure', text: plan, schema: { type: 'boolean' } }
          return text(JSON.stringify(await ask?.user?.(request, { blocks: [], source, signal })))
        },
        {},
        options,
      )
    const { result } = await postCall(await planning('Delete one file?'), {})
    const requestState = isJsonObject(result) ? result['requestState'] : undefined
    const retry = { requestState, inputResponses: { sure: yes } }
    expect(await postCall(await planning('Delete all files?'), retry)).toMatchObject({
      result: { inputRequests: { sure: { params: { message: 'Delete all files?' } } } },
    })
  })

  test('ends with its call when the server closes, and so does one that the call asks then', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>()
    const served = await serve(async (toolCall, { ask, signal }) => {
      const source = { kind: 'question', call: toolCall } as const
      const put = async (id: string): Promise<unknown> =>
        await ask?.user?.(
          { id, text: 'Sure?', schema: { type: 'boolean' } },
          { blocks: [], source, signal },
        )
      end([await put('sure'), signal.aborted, await put('really')])
      return text('')
    })
    await postCall(served, {})
    await served.close({ graceMs: 60_000 })
    const cancelled = { action: 'cancel', reason: 'aborted' }
    expect(await ended).toEqual([cancelled, true, cancelled])
  })

  test('that its call leaves open ends with the call, and the next request of the client receives the result of this one run', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: aside, resolve: endAside } = Promise.withResolvers<unknown>()
    let runs = 0
    const served = await serve(async (toolCall, { ask, signal }) => {
      runs += 1
      const source = { kind: 'question', call: toolCall } as const
      const request = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
      void ask?.user?.(request, { blocks: [], source, signal }).then(endAside)
      await gate
      return text('done')
    })
    const first = await postCall(served, {})
    const { requestState } = isJsonObject(first['result']) ? first['result'] : {}
    open()
    expect(await aside).toEqual({ action: 'cancel', reason: 'aborted' })
    const last = await postCall(served, { requestState, inputResponses: { sure: yes } })
    expect(last).toMatchObject({ result: { content: [{ type: 'text', text: 'done' }] } })
    expect(runs).toBe(1)
  })

  test('is asked after the one before it, if a call asks both at the same time', async () => {
    const served = await serve(async (toolCall, { ask, signal }) => {
      const source = { kind: 'question', call: toolCall } as const
      const put = async (id: string): Promise<unknown> =>
        await ask?.user?.(
          { id, text: id, schema: { type: 'boolean' } },
          { blocks: [], source, signal },
        )
      return text(JSON.stringify(await Promise.all([put('one'), put('two')])))
    })
    const server = await connect(
      { ...getServerConfig(served), protocolVersion: VERSION },
      { canAsk: true },
    )
    const { ask, asked } = answering(({ id }) => ({
      action: 'accept',
      value: { value: id === 'one' },
    }))
    expect(JSON.parse(firstText(await call(server, 'tool', {}, { ask })))).toEqual([
      { action: 'accept', value: true },
      { action: 'accept', value: false },
    ])
    expect(asked.map(({ request }) => request.id)).toEqual(['one', 'two'])
  })
})
