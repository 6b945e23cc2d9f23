import { describe, expect, test } from 'vitest'
import type { Answer, ToolContext } from '@toolblocks/protocol'
import { answering, call, connectOdd, firstText } from './testing/servers.support.ts'

const name = { type: 'string', pattern: '^[A-Z]' }
const form = (properties: object, required: readonly string[] = []) => ({
  message: 'Who?',
  requestedSchema: { type: 'object', properties, required },
})
const accept = (
  value: Answer & { action: 'accept' } extends { value: infer V } ? V : never,
): Answer => ({ action: 'accept', value })

describe('a server that asks during a call', () => {
  test('receives the answer of the caller, who sees the configured name of the server and the complete schema', async () => {
    const server = await connectOdd({ name: 'office' }, { canAsk: true })
    const { ask, asked } = answering(() => accept({ name: 'Ann' }))
    const result = await call(server, 'elicit', { params: form({ name }, ['name']) }, { ask })
    expect(firstText(result)).toBe('{"action":"accept","content":{"name":"Ann"}}')
    expect(asked).toMatchObject([
      {
        request: {
          id: 'elicitation',
          text: 'Who?',
          schema: { type: 'object', properties: { name }, required: ['name'] },
        },
        context: {
          source: { kind: 'elicitation', server: 'office', call: { name: 'office__elicit' } },
        },
      },
    ])
  })

  test.for<[string, Answer, string]>([
    ['declining', { action: 'decline' }, '{"action":"decline"}'],
    ['cancelling', { action: 'cancel', reason: 'user' }, '{"action":"cancel"}'],
    ['nobody', { action: 'cancel', reason: 'nobody' }, '{"action":"cancel"}'],
  ])('receives %s as an answer, and continues', async ([, answer, sent]) => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask } = answering(() => answer)
    expect(firstText(await call(server, 'elicit', { params: form({ name }) }, { ask }))).toBe(sent)
  })

  test('receives the defaults of omitted fields, and no field that it did not ask for', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(() => accept({ name: 'Ann', other: 1 }))
    const params = form({ name, count: { type: 'integer', default: 3 } })
    expect(firstText(await call(server, 'elicit', { params }, { ask }))).toBe(
      '{"action":"accept","content":{"count":3,"name":"Ann"}}',
    )
    expect(asked[0]?.request.default).toEqual({ count: 3 })
  })

  test('never receives an invalid answer: the pattern is checked, which MCP’s SDKs drop', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask } = answering(() => accept({ name: 'ann' }))
    const result = await call(server, 'elicit', { params: form({ name }) }, { ask })
    expect(firstText(result)).toBe('{"action":"cancel"}')
    expect(result.metadata?.warnings).toMatchObject([{ code: 'elicitation-refused' }])
  })

  test.for([
    { password: { type: 'string' } },
    { apiKey: { type: 'string' } },
    { code: { type: 'string', format: 'password' } },
  ])('is declined without asking if its form asks for a secret: %j', async (properties) => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(() => accept({ password: 'x' }))
    const result = await call(server, 'elicit', { params: form(properties) }, { ask })
    expect(firstText(result)).toBe('{"action":"decline"}')
    expect(asked).toEqual([])
    expect(result.metadata?.warnings).toMatchObject([
      { code: 'elicitation-refused', message: expect.stringContaining('"odd" asked for a secret') },
    ])
  })

  test('can send a person to a page: the address is passed on, and only the consent is returned', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(() => accept(true))
    const params = {
      mode: 'url',
      message: 'Log in',
      url: 'https://example.com/?a=b',
      elicitationId: 'e',
    }
    expect(firstText(await call(server, 'elicit', { params }, { ask }))).toBe('{"action":"accept"}')
    expect(asked[0]?.request).toMatchObject({ text: 'Log in', url: 'https://example.com/?a=b' })
  })

  test.for<[string, object]>([
    ['a mode that is unknown', { mode: 'voice', message: 'x' }],
    ['no schema', { message: 'x' }],
    ['no address', { mode: 'url', message: 'x' }],
  ])('with %s gets error -32602', async ([, params]) => {
    const server = await connectOdd({}, { canAsk: true })
    expect(
      firstText(
        await call(
          server,
          'elicit-error',
          { params },
          answering(() => accept({})),
        ),
      ),
    ).toContain('"code":-32602')
  })

  test('receives no answer and no reason if the host’s asking fails', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const ask = async (): Promise<never> => {
      throw new Error('the secret of the host')
    }
    const result = await call(server, 'elicit', { params: form({ name }) }, { ask })
    expect(firstText(result)).toBe('{"action":"cancel"}')
    expect(result.metadata?.warnings).toMatchObject([{ code: 'elicitation-refused' }])
  })

  test('more than 16 times in one call asks no person any more', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(() => ({ action: 'decline' }))
    const actions = JSON.parse(firstText(await call(server, 'ask-many', {}, { ask })))
    expect(asked.map(({ request }) => request.id).slice(0, 3)).toEqual([
      'elicitation',
      'elicitation-2',
      'elicitation-3',
    ])
    expect([asked.length, actions.slice(-4)]).toEqual([
      16,
      ['cancel', 'cancel', 'cancel', 'cancel'],
    ])
  })

  test('in more calls at once than one call may ask questions gets an answer in each', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask } = answering(() => accept({ name: 'Ann' }))
    const calls = Array.from({ length: 20 }, async () =>
      firstText(await call(server, 'elicit', { params: form({ name }) }, { ask })),
    )
    expect(new Set(await Promise.all(calls))).toEqual(
      new Set(['{"action":"accept","content":{"name":"Ann"}}']),
    )
  })

  test('can cancel its question, also with the id 0', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { promise: asked, resolve: sayAsked } = Promise.withResolvers<void>()
    const { promise: aborted, resolve: sayAborted } = Promise.withResolvers<void>()
    const ask: ToolContext['ask'] = async (_request, { signal }) => {
      signal.addEventListener('abort', () => sayAborted(), { once: true })
      sayAsked()
      await aborted
      return { action: 'cancel', reason: 'aborted' }
    }
    const calling = call(server, 'take-back', {}, { ask })
    await asked
    await call(server, 'echo')
    await aborted
    await call(server, 'echo')
    expect(firstText(await calling)).toBe('taken back')
  })

  test('that names no call keeps its question while another call is cancelled', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const ending = new AbortController()
    const sources: unknown[] = []
    // Whoever asks first is cancelled.
    const ask: ToolContext['ask'] = async (_request, { signal, source }) => {
      sources.push(source)
      if (sources.length > 1) return accept({ name: 'Ann' })
      ending.abort()
      expect(signal.aborted).toBe(true)
      return { action: 'cancel', reason: 'aborted' }
    }
    const cancelled = call(server, 'hang', {}, { ask, signal: ending.signal })
    const result = await call(server, 'elicit', { params: form({ name }) }, { ask })
    expect(firstText(result)).toBe('{"action":"accept","content":{"name":"Ann"}}')
    expect(await cancelled).toMatchObject({ metadata: { outcome: 'cancelled' } })
    // It still may be about either of them.
    const unnamed = { kind: 'elicitation', server: 'odd' }
    expect(sources).toEqual([unnamed, unnamed])
  })

  test('asks no person if it cancelled the question before it could be shown', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(() => accept({}))
    const calling = call(server, 'take-back-at-once', {}, { ask })
    await call(server, 'echo')
    expect(firstText(await calling)).toBe('taken back')
    expect(asked).toEqual([])
  })

  test('does not use the call’s time while a person thinks', async () => {
    const server = await connectOdd({ timeoutMs: 1500 }, { canAsk: true })
    const ask = async (): Promise<Answer> => {
      // Longer than the call's active time; only the real clock shows the difference.
      await new Promise((resolve) => setTimeout(resolve, 2000))
      return accept({ name: 'Ann' })
    }
    expect((await call(server, 'elicit', { params: form({ name }) }, { ask })).isError).toBe(false)
  })
})

describe('with nobody to ask', () => {
  test('elicitation is not declared, and answered with error -32601', async () => {
    const server = await connectOdd()
    expect(firstText(await call(server, 'elicit-error', { params: form({ name }) }))).toContain(
      '"code":-32601',
    )
  })

  test('roots and sampling need a hook of the host', async () => {
    expect(
      firstText(await call(await connectOdd(), 'ask-method', { method: 'roots/list' })),
    ).toContain('-32601')
    const roots = { roots: [{ uri: 'file:///w' }] }
    const server = await connectOdd({}, { listRoots: async () => roots })
    expect(firstText(await call(server, 'ask-method', { method: 'roots/list' }))).toContain(
      '"uri":"file:///w"',
    )
  })
})

describe('a call that requires a visit to a page first (error -32042)', () => {
  test('is made again when the person confirms the visit', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(() => accept(true))
    expect(firstText(await call(server, 'visit', {}, { ask }))).toBe('visited')
    expect(asked.map(({ request }) => [request.id, request.url])).toEqual([
      ['elicitation', 'https://example.com/login'],
      ['elicitation.done', undefined],
    ])
  })

  test.for<[Answer, string]>([
    [{ action: 'decline' }, 'denied'],
    [{ action: 'cancel', reason: 'user' }, 'unanswered'],
  ])('ends with %j as %s', async ([answer, outcome]) => {
    const server = await connectOdd({}, { canAsk: true })
    expect(
      await call(
        server,
        'visit',
        {},
        answering(() => answer),
      ),
    ).toMatchObject({ isError: true, metadata: { outcome } })
  })
})

describe('rounds of input_required', () => {
  test('send the answers of each round with the unchanged state of that round', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const { ask, asked } = answering(({ id }) =>
      accept(id === 'who' ? { name: 'Ann' } : { sure: true }),
    )
    const { inputResponses, requestState } = JSON.parse(
      firstText(await call(server, 'rounds', {}, { ask })),
    )
    expect(asked.map(({ request }) => request.id)).toEqual(['who', 'sure'])
    expect([inputResponses, requestState]).toEqual([
      { sure: { action: 'accept', content: { sure: true } } },
      'two:Ann',
    ])
  })

  test('end: a server that asks without end gets 16', async () => {
    const server = await connectOdd({}, { canAsk: true })
    const result = await call(
      server,
      'rounds-for-ever',
      {},
      answering(() => accept({})),
    )
    expect(firstText(result)).toContain('after 16 rounds of questions')
  })
})
