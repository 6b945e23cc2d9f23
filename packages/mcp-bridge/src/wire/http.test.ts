import { describe, expect, onTestFinished, test } from 'vitest'
import { type HttpProtocol, wireToEndpoint } from './http.ts'
import type { Loss } from './peer.ts'

const URL_OF_ENDPOINT = 'http://127.0.0.1:1/mcp'
const REQUEST = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }
const ANSWER = { jsonrpc: '2.0', id: 7, result: {} }
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/x', params: {} }
const PLAIN: HttpProtocol = { getHeaders: () => ({}) }

const settle = async (turns = 1): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate)
}

/** A response whose body ends slowly when it is cancelled. */
function createResponse(steps: string[], init: ResponseInit): Response {
  const body = new ReadableStream({
    cancel: async () => {
      steps.push('cancelling')
      await settle(2)
      steps.push('cancelled')
    },
  })
  return new Response(body, init)
}

/** A wire to an endpoint that answers as given. `lost`: the losses of its requests, and its end. */
function open(
  answer: (init: RequestInit, count: number) => Response | Promise<Response>,
  protocol: HttpProtocol = PLAIN,
) {
  const lost: [id: unknown, loss: Loss][] = []
  const heard: unknown[] = []
  let count = 0
  const wire = wireToEndpoint(
    {
      url: URL_OF_ENDPOINT,
      fetch: async (_url, init = {}) => {
        count += 1
        return await answer(init, count)
      },
    },
    protocol,
  )
  wire.start({
    onMessage: (message) => void heard.push(message),
    onStray: () => undefined,
    onLoss: (id, loss) => void lost.push([id, loss]),
    onEnd: (loss) => void lost.push(['end', loss]),
  })
  return { wire, lost, heard }
}

const never = async ({ signal }: RequestInit): Promise<Response> =>
  await new Promise((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Error('aborted'))),
  )

describe('a message without an answer', () => {
  test.for([
    ['an answer to the server', ANSWER],
    ['a notification', NOTIFICATION],
  ] as const)(
    '%s is sent when the server has taken it, and its response was ended',
    async ([, message]) => {
      const steps: string[] = []
      const { wire } = open(() => createResponse(steps, { status: 202 }))
      await wire.send(message, {})
      expect(steps).toEqual(['cancelling', 'cancelled'])
    },
  )

  test.for([
    ['an answer to the server', ANSWER],
    ['a notification', NOTIFICATION],
  ] as const)(
    '%s that the server refuses is a rejection, and so is one that cannot be sent',
    async ([, message]) => {
      const refusing = open(() => new Response('no room', { status: 500 }))
      await expect(refusing.wire.send(message, {})).rejects.toThrow('no room')
      const failing = open(async () => await Promise.reject(new TypeError('fetch failed')))
      const failure = await failing.wire.send(message, {}).catch((error: unknown) => error)
      expect(failure).toMatchObject({ cause: { message: 'fetch failed' } })
    },
  )

  test('is refused with the end of the connection if too many answers are not taken, and has room again when they are', async () => {
    const waiting: (() => void)[] = []
    const { wire, lost } = open(
      async () =>
        await new Promise((resolve) =>
          waiting.push(() => resolve(new Response(null, { status: 202 }))),
        ),
    )
    const send = async (): Promise<void> => await wire.send(ANSWER, {})
    const first = Array.from({ length: 100 }, send)
    for (const take of waiting.splice(0)) take()
    await Promise.all(first)
    const more = Array.from({ length: 100 }, send)
    expect(lost).toEqual([])
    await send()
    expect(lost).toMatchObject([['end', { reason: expect.stringContaining('100 requests') }]])
    for (const take of waiting.splice(0)) take()
    await Promise.all(more)
  })
})

describe('a request', () => {
  test.for<[string, ResponseInit, string]>([
    [
      'that is redirected to another address',
      { status: 302, headers: { location: 'http://other/' } },
      'redirect',
    ],
    ['that is only accepted', { status: 202 }, '202 and no answer'],
    [
      'with an answer of another type',
      { status: 200, headers: { 'content-type': 'text/html' } },
      'text/html instead of JSON',
    ],
  ])('%s is lost after its response was ended', async ([, init, reason]) => {
    const steps: string[] = []
    const { wire, lost } = open(() => createResponse(steps, init))
    await wire.send(REQUEST, {})
    while (lost.length === 0) await settle()
    expect(steps).toEqual(['cancelling', 'cancelled'])
    expect(lost).toMatchObject([[1, { reason: expect.stringContaining(reason) }]])
  })

  test('that is redirected is sent again after the first response was ended', async () => {
    const steps: string[] = []
    const { wire, heard } = open((_, count) => {
      steps.push(`sent ${count}`)
      return count === 1
        ? createResponse(steps, { status: 307, headers: { location: '/other' } })
        : Response.json({ jsonrpc: '2.0', id: 1, result: {} })
    })
    await wire.send(REQUEST, {})
    while (heard.length === 0) await settle()
    expect(steps).toEqual(['sent 1', 'cancelling', 'cancelled', 'sent 2'])
  })

  test('that has its answer can be cancelled without an effect on the next one with its id', async () => {
    const { wire, heard } = open(
      async (init, count) =>
        count === 1 ? Response.json({ jsonrpc: '2.0', id: 1, result: {} }) : await never(init),
      { ...PLAIN, endsToCancel: true },
    )
    await wire.send(REQUEST, {})
    while (heard.length === 0) await settle()
    await settle()
    const params = { requestId: 1 }
    let isSent = false
    void wire.send({ ...NOTIFICATION, method: 'notifications/cancelled', params }, {}).then(
      () => (isSent = true),
      () => undefined,
    )
    await settle(3)
    expect(isSent).toBe(false)
    await wire.close()
  })

  test('whose answer cannot be read is lost with the reason', async () => {
    const { wire, lost } = open(
      () =>
        new Response(new ReadableStream({ start: (body) => body.error(new Error('cut off')) }), {
          headers: { 'content-type': 'application/json' },
        }),
    )
    await wire.send(REQUEST, {})
    while (lost.length === 0) await settle()
    expect(lost).toMatchObject([[1, { kind: 'lost' }]])
  })
})

describe('the end of a connection', () => {
  test('ends the requests that wait', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const { wire } = open(async (init) => {
      signals.push(init.signal)
      return await never(init)
    })
    await wire.send(REQUEST, {})
    void wire.send(NOTIFICATION, {}).catch(() => undefined)
    await settle()
    await wire.close()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  })

  test('of its open requests alone leaves the messages that need no answer', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const { wire, lost } = open(async (init) => {
      signals.push(init.signal)
      return await never(init)
    })
    await wire.send(REQUEST, {})
    void wire.send(NOTIFICATION, {}).catch(() => undefined)
    await settle()
    const why = { kind: 'lost', reason: 'x', maybeExecuted: true, transient: true } as const
    wire.loseOpen(why)
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false])
    expect(lost).toEqual([[1, why]])
    await wire.close()
  })

  test('comes after the server was told, also if it refuses', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown): void => void unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const steps: string[] = []
    const { wire } = open(never, {
      ...PLAIN,
      leave: async ({ ended }) => {
        await settle(2)
        steps.push(`left, ${ended.aborted ? 'too late' : 'in time'}`)
        throw new Error('unknown session')
      },
    })
    await wire.close()
    expect(steps).toEqual(['left, in time'])
    expect(wire.ended.aborted).toBe(true)
    await settle()
    expect(unhandled).toEqual([])
  })
})
