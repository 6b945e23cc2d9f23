import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
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

test('a call ends with its connection if the server does not answer the request for its stream again', async () => {
  const streams: Socket[] = []
  const { promise: called, resolve: onCall } = Promise.withResolvers<void>()
  const { origin } = await startRawServer((socket, { head, body }) => {
    const { method, answer } = answerMcp(head, body)
    if (method === 'tools/call') onCall()
    else if (method !== 'GET') socket.end(answer)
    else if (streams.length > 0) socket.destroy()
    else {
      socket.write(OPEN)
      streams.push(socket)
    }
  })
  const server = await connect({ name: 'web', transport: { kind: 'http', url: `${origin}/mcp` } })
  const running = call(server, 'echo')
  await called
  streams[0]?.destroy()
  expect(await running).toMatchObject({ isError: true, metadata: { maybeExecuted: true } })
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
