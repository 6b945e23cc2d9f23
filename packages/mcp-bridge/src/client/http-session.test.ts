import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpSession } from './http-session.ts'
import type { ServerState } from './mcp-server.ts'
import { answerMcp } from '../testing/raw-mcp.support.ts'
import { rawAnswer, startRawServer } from '../testing/raw-server.support.ts'
import { call, connect, firstText } from '../testing/servers.support.ts'

const events = { 'content-type': 'text/event-stream', 'content-length': '' }

/** Connects to a server whose stream for messages of its own is the given one. */
async function hear(
  answer: (socket: Socket) => void,
  answerCall = (usual: string): string => usual,
): Promise<{ counts: Record<string, number>; server: Awaited<ReturnType<typeof connect>> }> {
  const counts: Record<string, number> = {}
  const { origin } = await startRawServer((socket, { head, body }) => {
    const { method, answer: usual } = answerMcp(head, body)
    counts[method] = (counts[method] ?? 0) + 1
    if (method === 'GET') answer(socket)
    else socket.end(method === 'tools/call' ? answerCall(usual) : usual)
  })
  const server = await connect({
    name: 'web',
    transport: { kind: 'http', url: `${origin}/mcp` },
  })
  return { counts, server }
}

/** A stream that ends at once. */
const ended = (retry: string): string =>
  rawAnswer(200, `id: 1\nretry: ${retry}\ndata:\n\n`, events).replace('content-length: \r\n', '')

test('a stream that ends at once again and again is opened a few times at once, and then once a second', async () => {
  const { counts } = await hear((socket) => socket.end(ended('0')))
  await pause(1500)
  expect(counts['GET']).toBeGreaterThan(2)
  expect(counts['GET']).toBeLessThan(10)
})

test('a stream that shall be opened again after more time than a timer has is not opened at once', async () => {
  const warnings: Error[] = []
  const warn = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const { counts, server } = await hear((socket) => socket.end(ended('99999999999')))
  await pause(300)
  expect(counts['GET']).toBe(1)
  expect(warnings).toEqual([])
  expect(await call(server, 'echo')).toMatchObject({ isError: false })
})

/** A stream that stays open. */
const OPEN = rawAnswer(200, '', events).replace('content-length: \r\n', '')

test('a call waits until the stream is open on which the server may ask about it', async () => {
  let isOpen = false
  const { server } = await hear(
    (socket) =>
      void pause(500).then(() => {
        isOpen = true
        socket.write(OPEN)
      }),
    // Servers drop what they ask without a stream.
    (usual) => usual.replace('well', isOpen ? 'open' : 'none'),
  )
  expect(firstText(await call(server, 'echo'))).toBe('open')
})

test('a server that does not answer the request for its stream gets calls nevertheless', async () => {
  const { server, counts } = await hear(() => undefined)
  expect(firstText(await call(server, 'echo'))).toBe('well')
  expect(counts['GET']).toBe(1)
})

test.each([404, 503])(
  'a call keeps its own answer if the stream of the server is refused with %i meanwhile, and the next call is made on another connection',
  async (status) => {
    const states: ServerState[] = []
    const counts: Record<string, number> = {}
    const answers: (() => void)[] = []
    const streams: Socket[] = []
    const { origin } = await startRawServer((socket, { head, body }) => {
      const { method, answer } = answerMcp(head, body)
      counts[method] = (counts[method] ?? 0) + 1
      if (method === 'GET' && streams.length === 0) {
        socket.write(OPEN)
        streams.push(socket)
      } else if (method === 'GET') socket.end(rawAnswer(status, 'no stream'))
      else if (method === 'tools/call') answers.push(() => socket.end(answer))
      else socket.end(answer)
    })
    const server = await connect(
      { name: 'web', transport: { kind: 'http', url: `${origin}/mcp` } },
      { onStateChange: (state) => void states.push(state) },
    )
    const first = call(server, 'echo')
    await expect.poll(() => answers.length).toBe(1)
    streams[0]?.destroy()
    await expect.poll(() => states, { timeout: 5000 }).toMatchObject([{ kind: 'lost' }])
    const second = call(server, 'echo')
    await expect.poll(() => answers.length).toBe(2)
    for (const answer of answers) answer()
    expect([firstText(await first), firstText(await second)]).toEqual(['well', 'well'])
    expect(counts['initialize']).toBe(2)
  },
)

/** Hears a server without a connection: of the answers to the requests for its stream, each is given once, and the last one again. */
async function hearAnswers(answers: readonly ('stream' | number | Error)[]) {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const log: string[] = []
  let count = 0
  const session = createHttpSession()
  void session.retired.then(({ reason }) => log.push(`retired: ${reason}`))
  await session.hearUnasked({
    ended: closing.signal,
    fetch: async () => {
      const answer = answers[Math.min(count, answers.length - 1)]
      count += 1
      if (answer instanceof Error) throw answer
      return new Response('', {
        status: answer === 'stream' ? 200 : (answer ?? 200),
        headers: { 'content-type': answer === 'stream' ? 'text/event-stream' : 'text/plain' },
      })
    },
    read: async () => {
      log.push('read')
      return { isAnswered: false, retryMs: 0 }
    },
    loseOpen: ({ reason, maybeExecuted }) => void log.push(`lost: ${reason}, ${maybeExecuted}`),
  })
  return log
}

const refused = (code: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

test.for([
  ['is not known any more', 404, ['retired: the server has forgotten the session']],
  ['is refused', 405, ['retired: the connection was lost']],
  ['is cut before an answer', refused('ECONNRESET'), ['retired: the connection was lost']],
  [
    'cannot be requested',
    refused('ECONNREFUSED'),
    ['lost: the connection was lost, true', 'retired: the connection was lost'],
  ],
] as const)('a stream that %s when it is resumed: %s', async ([, answer, expected]) => {
  const log = await hearAnswers(['stream', answer])
  await expect.poll(() => log).toEqual(['read', ...expected])
})

test.for([
  [503, true],
  [refused('ECONNRESET'), true],
  [404, false],
  [405, false],
  [501, false],
] as const)(
  'a first stream that is refused with %s is requested again: %s',
  async ([answer, isRepeated]) => {
    const log = await hearAnswers([answer, 'stream', 405])
    await pause(1200)
    expect(log.slice(0, 1)).toEqual(isRepeated ? ['read'] : [])
  },
)

describe('a call whose server asks during it on its stream', () => {
  const QUESTION = JSON.stringify({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })

  /** Calls a server that responds to the answers with these, one after the other, and then answers the call if it has taken one. */
  async function ask(
    refusals: readonly (readonly [status: number, body: string])[],
    { isForgotten = false, isBeside = false }: { isForgotten?: boolean; isBeside?: boolean } = {},
  ): Promise<string> {
    const left = refusals.values()
    let waiting: Socket | undefined
    let stream: Socket | undefined
    const { origin } = await startRawServer((socket, { head, body }) => {
      const { method, answer } = answerMcp(head, body)
      const end = (): void => {
        const [, id = ''] = /"id":(\d+),"method":"tools/.exec(waited) ?? []
        waiting?.end(
          `data: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"done"}]}}\n\n`,
        )
      }
      if (method === 'GET') {
        socket.write(OPEN)
        stream = socket
      } else if (method === 'tools/call') {
        waited = body
        socket.write(OPEN)
        waiting = socket
        const asking = isBeside ? stream : socket
        asking?.write(`data: ${QUESTION}\n\n`)
        if (isBeside) setTimeout(end, 500)
      } else if (body.includes('"id":"q"')) {
        const [status, text] = left.next().value ?? [202, '']
        socket.end(rawAnswer(status, text))
        if (status === 202 || !isForgotten) setTimeout(end, status === 202 ? 0 : 1500)
      } else if (isForgotten && body.includes('"method":"ping"'))
        socket.end(rawAnswer(404, 'unknown session'))
      else socket.end(answer)
    })
    let waited = ''
    const server = await connect(
      { name: 'web', transport: { kind: 'http', url: `${origin}/mcp` } },
      { listRoots: async () => ({ roots: [] }) },
    )
    return firstText(await call(server, 'echo')) ?? ''
  }

  test.for([
    [404, 'unknown session', 'the server has forgotten the session'],
    [401, 'who are you?', 'the server answered with HTTP 401'],
    [413, 'too much', 'the server answered with HTTP 413'],
  ] as const)('ends if it did not receive the answer: %i, %s', async ([status, text, reason]) => {
    expect(await ask([[status, text]], { isForgotten: true })).toContain(
      `${reason}, so it did not receive what it asked for. It may still have been executed.`,
    )
  })

  test.for([
    [200, '{}'],
    [400, 'what is this?'],
    [404, 'no such page, but the session is known'],
    [404, '{"jsonrpc":"2.0","id":"q","error":{"code":-32602,"message":"Unknown request id"}}'],
    [500, 'oops'],
  ] as const)('continues if it may have received the answer: %i, %s', async ([status, text]) => {
    expect(await ask([[status, text]])).toBe('done')
  })

  test.for([429, 503])('gets the answer again after %i', async (status) => {
    expect(await ask([[status, '']], { isForgotten: true })).toBe('done')
  })

  test('continues if an answer that belongs to no call is refused without the session', async () => {
    expect(await ask([[404, 'unknown session']], { isForgotten: true, isBeside: true })).toBe(
      'done',
    )
  })
})

test('a server whose requests come faster than it takes their answers loses its connection', async () => {
  const states: ServerState[] = []
  const answers: string[] = []
  const { promise: listed, resolve: onListed } = Promise.withResolvers<void>()
  const { origin } = await startRawServer((socket, { head, body }) => {
    const { method, answer } = answerMcp(head, body)
    if (method === 'GET') {
      socket.write(OPEN)
      void listed.then(() => {
        for (let id = 0; id < 5000; id += 1)
          socket.write(`data: {"jsonrpc":"2.0","id":${id},"method":"ping"}\n\n`)
      })
    } else if (body.includes('"method"')) socket.end(answer)
    else answers.push(body)
  })
  await connect(
    { name: 'web', transport: { kind: 'http', url: `${origin}/mcp` } },
    { onStateChange: (state) => void states.push(state) },
  )
  onListed()
  await expect
    .poll(() => states[0])
    .toMatchObject({
      kind: 'lost',
      reason: 'the server does not take the answers to more than 100 requests of its own',
    })
  expect(answers.length).toBeLessThanOrEqual(100)
})
