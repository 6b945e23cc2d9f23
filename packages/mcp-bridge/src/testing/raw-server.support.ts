import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Answers one request with any bytes. `head` and `body` are the request as it was sent. */
export type AnswerRaw = (
  socket: Socket,
  request: { readonly path: string; readonly head: string; readonly body: string },
) => void

/** Answers a request in place of a server. */
export type Answer = (socket: Socket) => void

/** A server on loopback that may answer with bytes that no HTTP library would write. Each connection has one request. */
export interface RawServer {
  readonly origin: string
  /** Replaces the answers. */
  answer: AnswerRaw
}

/** Starts a server until the test ends. */
export async function startRawServer(answer: AnswerRaw): Promise<RawServer> {
  const open = new Set<Socket>()
  const listening = createServer((socket) => {
    let read = ''
    let isAnswered = false
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // The other side may close the connection at any time.
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      read += chunk.toString('latin1')
      const [head = '', body] = read.split('\r\n\r\n', 2)
      const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
      if (isAnswered || body === undefined || body.length < Number(length)) return
      isAnswered = true
      const [, path = '/'] = /^\S+ (\S+)/.exec(head) ?? []
      server.answer(socket, { path, head, body })
    })
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(async () => {
    listening.close()
    for (const socket of open) socket.destroy()
    if (listening.listening) await once(listening, 'close')
  })
  const server = {
    origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    answer,
  }
  return server
}

/** The head of an answer with a body of a known length. */
export function rawAnswer(
  status: string | number,
  body: string,
  headers: Readonly<Record<string, string | number>> = {},
): string {
  const all = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n${body}`
}

/** Writes without end, as fast as it is read. */
function flood(socket: Socket, piece: string): void {
  if (!socket.destroyed) socket.write(piece, () => setImmediate(() => flood(socket, piece)))
}

/** Every status from 000 to 999. */
export const STATUSES = Array.from({ length: 1000 }, (_each, index) =>
  String(index).padStart(3, '0'),
)

/** Answers that are none, by what is wrong with them. Each settles without waiting for a limit. */
export const HOSTILE_ANSWERS: Readonly<Record<string, Answer>> = {
  'closes the connection at once': (socket) => socket.destroy(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'ends without a byte': (socket) => socket.end(),
  'switches protocols': (socket) =>
    socket.write('HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nbytes'),
  'switches protocols without a name': (socket) => socket.write('HTTP/1.1 101 x\r\n\r\n'),
  'sends 103 without end': (socket) => flood(socket, 'HTTP/1.1 103 x\r\nlink: <a>\r\n\r\n'),
  'sends 100 without end': (socket) => flood(socket, 'HTTP/1.1 100 x\r\n\r\n'),
  'sends 199 without end': (socket) => flood(socket, 'HTTP/1.1 199 x\r\n\r\n'),
  'cuts its head': (socket) => socket.end('HTTP/1.1 200 x\r\ncontent-len'),
  'cuts its body': (socket) => socket.end(rawAnswer(200, '{"a":', { 'content-length': 99 })),
  'cuts a body in chunks': (socket) =>
    socket.end(
      'HTTP/1.1 200 x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a"',
    ),
  'has a length below zero': (socket) => socket.end(rawAnswer(200, '{}', { 'content-length': -1 })),
  'has a length that is no number': (socket) =>
    socket.end(rawAnswer(200, '{}', { 'content-length': '1e3' })),
  'has a length beyond all numbers': (socket) =>
    socket.end(rawAnswer(200, '{}', { 'content-length': '9'.repeat(40) })),
  'has two lengths': (socket) =>
    socket.end('HTTP/1.1 200 x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x'),
  'has a length and chunks': (socket) =>
    socket.end(
      'HTTP/1.1 200 x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ),
  'has a length below its body': (socket) =>
    socket.end(rawAnswer(200, '{"jsonrpc":"2.0"}', { 'content-length': 3 })),
  'has one header of 1 MB': (socket) =>
    socket.end(rawAnswer(200, '{}', { 'x-a': 'a'.repeat(1e6) })),
  'has many headers of 1 MB': (socket) =>
    socket.end(`HTTP/1.1 200 x\r\n${'x-a: b\r\n'.repeat(125_000)}\r\n`),
  'has a reason of 1 MB': (socket) => socket.end(`HTTP/1.1 200 ${'a'.repeat(1e6)}\r\n\r\n`),
  'has headers without end': (socket) => {
    socket.write('HTTP/1.1 200 x\r\n')
    flood(socket, `x-a: ${'b'.repeat(10_000)}\r\n`)
  },
  'has trailers without end': (socket) => {
    socket.write(
      'HTTP/1.1 200 x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n',
    )
    flood(socket, `x-a: ${'b'.repeat(10_000)}\r\n`)
  },
  'has an extension of a chunk without end': (socket) => {
    socket.write(
      'HTTP/1.1 200 x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2;',
    )
    flood(socket, 'a'.repeat(10_000))
  },
  'sends garbage': (socket) => socket.end('\u0000\u0001\u00ff garbage\r\n\r\n'),
  'sends garbage without end': (socket) => flood(socket, '\u0000\u0001 garbage'),
  'speaks another version': (socket) => socket.end('HTTP/9.9 200 x\r\n\r\n'),
  'speaks TLS': (socket) => socket.end(Buffer.from('150301000202460', 'hex')),
  'has a header without a name': (socket) => socket.end('HTTP/1.1 200 x\r\n: a\r\n\r\n'),
  'folds a header': (socket) => socket.end('HTTP/1.1 200 x\r\na: b\r\n c\r\n\r\n'),
  'has a header with a byte of 0': (socket) => socket.end('HTTP/1.1 200 x\r\na: b\u0000c\r\n\r\n'),
  'answers twice': (socket) => socket.end(rawAnswer(700, '{}').repeat(2)),
  'answers after its answer': (socket) =>
    socket.end('HTTP/1.1 204 x\r\n\r\nHTTP/1.1 204 x\r\n\r\nHTTP/1.1 101 x\r\n\r\n'),
  'compresses what is not compressed': (socket) =>
    socket.end(rawAnswer(200, 'not gzip', { 'content-encoding': 'gzip' })),
  'compresses in an unknown way': (socket) =>
    socket.end(rawAnswer(200, '{}', { 'content-encoding': 'zzz' })),
  'has a body where none may be': (socket) => {
    socket.write('HTTP/1.1 205 x\r\ntransfer-encoding: chunked\r\n\r\n')
    flood(socket, '1000\r\n'.padEnd(0x1000 + 6, 'x') + '\r\n')
  },
}

/** The statuses that a caller gets to see, and some of those that `fetchAnswer` refuses: its own test has each of them. */
const TRIED = STATUSES.filter(
  (status) => /^[2-5]/.test(status) || /[05]0$|^10[0-3]$|^[01679]99$/.test(status),
)

/** Every answer that a server may give: each status, and everything that is no answer. */
export const ANSWERS: readonly (readonly [name: string, answer: Answer])[] = [
  ...TRIED.map((status): [string, Answer] => [
    status,
    (socket) => socket.end(rawAnswer(status, '{}')),
  ]),
  ...Object.entries(HOSTILE_ANSWERS),
]

/** Answers that end only with a limit. */
export const ENDLESS_ANSWERS: Readonly<Record<string, Answer>> = {
  'never answers': () => undefined,
  'sends half a head': (socket) => socket.write('HTTP/1.1 200 x\r\n'),
  'sends half a body': (socket) => socket.write(rawAnswer(200, '{', { 'content-length': 9 })),
  'sends a byte from time to time': (socket) => {
    socket.write(rawAnswer(200, '', { 'content-length': 99_999 }))
    const timer = setInterval(() => socket.write(' '), 20)
    socket.on('close', () => clearInterval(timer))
  },
}
