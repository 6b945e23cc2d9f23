import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  ENDLESS_ANSWERS,
  HOSTILE_ANSWERS,
  rawAnswer,
  startRawServer,
  STATUSES,
} from '../testing/raw-server.support.ts'
import { AnswerError, fetchAnswer } from './fetch-answer.ts'

/** What was thrown outside of a promise, which would end the process. */
const outside: unknown[] = []
const note = (error: unknown): void => void outside.push(error)

beforeEach(() => {
  outside.length = 0
  process.on('uncaughtException', note).on('unhandledRejection', note)
})
afterEach(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note)
  if (outside.length > 0) throw new AggregateError(outside, 'thrown outside of a promise')
})

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function describe(answer: unknown): unknown {
  if (!(answer instanceof Error)) return answer
  return /is no HTTP|fetch failed/.test(answer.message) ? NO_ANSWER : answer.message
}

const NO_ANSWER = 'the answer is no HTTP, or missing'

/** Returns what becomes of an answer with a status; an interim one is followed by no answer. */
function expected(status: string, origin: string): unknown {
  const number = Number(status)
  if ([204, 205, 304].includes(number)) return [number, '']
  if (number >= 200 && number < 600) return [number, 'ok']
  if (number >= 100 && number < 200 && number !== 101) return NO_ANSWER
  return `"${origin}/${status}" answered with the HTTP status ${status}; expected one from 200 to 599. Check the address, and tell the operator of the server.`
}

/** Returns the status and the text of an answer, or the error. */
async function read(...parameters: Parameters<typeof fetchAnswer>): Promise<unknown> {
  try {
    const response = await fetchAnswer(...parameters)
    return [response.status, await response.text()]
  } catch (error) {
    return error
  }
}

test('every status from 000 to 999 is an answer or an error that names it, and requests beside it go on', async () => {
  const healthy = await listen((_request, response) => response.end('well'))
  const { origin } = await startRawServer((socket, { path }) =>
    socket.end(rawAnswer(path.slice(1), 'ok')),
  )
  for (let start = 0; start < STATUSES.length; start += 50) {
    const some = STATUSES.slice(start, start + 50)
    const answers = await Promise.all([
      ...some.map(async (status) => await read(`${origin}/${status}`)),
      read(healthy),
    ])
    expect(answers.pop()).toEqual([200, 'well'])
    expect(answers.map(describe)).toEqual(some.map((status) => expected(status, origin)))
  }
})

test.for(Object.entries(HOSTILE_ANSWERS))(
  'a server that %s gives an error or an answer at once, and requests beside it go on',
  async ([, answer]) => {
    const healthy = await listen((_request, response) => response.end('well'))
    const { origin } = await startRawServer((socket) => answer(socket))
    const [got, beside] = await Promise.all([read(origin), read(healthy)])
    expect(beside).toEqual([200, 'well'])
    expect(got).toSatisfy(
      (each) => Array.isArray(each) || each instanceof AnswerError || each instanceof TypeError,
    )
    expect(await read(healthy)).toEqual([200, 'well'])
  },
)

test.for([
  ['has one header of 1 MB', 'too-large', 'answered with a head of more than 65,536 bytes'],
  ['sends garbage', 'broken', 'is no HTTP (HPE_'],
  ['cuts its body', 'broken', 'ended its answer after 5 bytes of the body (ECONNRESET: aborted)'],
  ['sends 103 without end', 'broken', 'answered with more than 32 statuses from 100 to 199'],
  ['switches protocols', 'broken', 'answered with the HTTP status 101; expected'],
  ['switches protocols without a name', 'broken', 'answered with the HTTP status 101; expected'],
  [
    'compresses what is not compressed',
    'broken',
    'ended its answer after 0 bytes of the body (Z_DATA_ERR',
  ],
  ['compresses in an unknown way', 'broken', 'the content-encoding "zzz"; expected one of br, '],
] as const)('a server that %s gives an error of the kind %s: %s', async ([name, kind, message]) => {
  const { origin } = await startRawServer((socket) => HOSTILE_ANSWERS[name]?.(socket))
  const error = await read(origin)
  expect(error).toMatchObject({
    name: 'AnswerError',
    kind,
    reason: expect.stringContaining(message),
  })
  expect(error).toMatchObject({ reason: expect.stringContaining(`"${origin}/"`) })
})

test.for([
  ['never answers', { headMs: 100 }, 'did not answer in 0.1 s'],
  ['never answers', { totalMs: 100 }, 'did not answer completely in 0.1 s'],
  ['sends half a head', { headMs: 100 }, 'did not answer in 0.1 s'],
  ['sends half a body', { idleMs: 100 }, 'sent nothing for 0.1 s'],
  ['sends half a body', { totalMs: 300 }, 'did not answer completely in 0.3 s'],
  ['sends a byte from time to time', { totalMs: 300 }, 'did not answer completely in 0.3 s'],
] as const)('a server that %s is given up with %j', async ([name, limits, message]) => {
  const { origin } = await startRawServer((socket) => ENDLESS_ANSWERS[name]?.(socket))
  expect(await read(origin, {}, limits)).toMatchObject({
    name: 'AnswerError',
    kind: 'late',
    reason: `"${origin}/" ${message}`,
  })
})

test('a slow reader is not a silent server', async () => {
  const url = await listen((_request, response) => {
    response.write('one')
    response.end('two')
  })
  const response = await fetchAnswer(url, {}, { idleMs: 500 })
  await new Promise((next) => setTimeout(next, 700))
  expect(await response.text()).toBe('onetwo')
})

test('a body above its limit is not read to its end, also after decompression', async () => {
  const closed = Promise.withResolvers<void>()
  const url = await listen((request, response) => {
    response.on('close', closed.resolve)
    if (request.url === '/gzip')
      return void response
        .writeHead(200, { 'content-encoding': 'gzip' })
        .end(gzipSync('x'.repeat(20_000_000)))
    const more = (): void =>
      void (response.destroyed || response.write('x'.repeat(64 * 1024), more))
    more()
  })
  const tooLarge = { kind: 'too-large', reason: expect.stringContaining('more than 100,000 bytes') }
  expect(await read(url, {}, { maxBytes: 100_000 })).toMatchObject(tooLarge)
  await closed.promise
  expect(await read(`${url}gzip`, {}, { maxBytes: 100_000 })).toMatchObject(tooLarge)
})

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', Buffer.from],
] as const)('a body compressed with %s is read', async ([encoding, compress]) => {
  const url = await listen((_request, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('the text')),
  )
  expect(await read(url)).toEqual([200, 'the text'])
})

test('method, headers and body arrive, with the headers of every request', async () => {
  const url = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, headers } = request
    const names = ['x-given', 'content-type', 'content-length', 'user-agent', 'accept']
    response.writeHead(201, { 'x-answer': ['a', 'b'] })
    response.end(
      [method, ...names.map((name) => headers[name]), Buffer.concat(chunks).toString()].join('|'),
    )
  })
  const body = new URLSearchParams({ a: 'ü' })
  const response = await fetchAnswer(url, { method: 'POST', headers: { 'x-given': 'g' }, body })
  expect([response.status, response.headers.get('x-answer')]).toEqual([201, 'a, b'])
  expect(await response.text()).toBe(
    'POST|g|application/x-www-form-urlencoded;charset=UTF-8|8|toolblocks|*/*|a=%C3%BC',
  )
  const own = { method: 'PUT', headers: { 'user-agent': 'own', accept: 'text/plain' } }
  expect(await (await fetchAnswer(new Request(url, own))).text()).toContain(
    'PUT|||0|own|text/plain',
  )
})

test('a redirect is not followed', async () => {
  const url = await listen((_request, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end('there'),
  )
  expect(await read(url)).toEqual([307, 'there'])
})

test('an address without a server gives the error of fetch', async () => {
  const nobody = createTcpServer().listen(0, '127.0.0.1')
  await once(nobody, 'listening')
  const { port } = nobody.address() as AddressInfo
  await once(nobody.close(), 'close')
  expect(await read(`http://127.0.0.1:${port}/`)).toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  })
})

test('a caller ends the wait for a head and for a body, and the connection is closed', async () => {
  const reason = new Error('enough')
  expect(await read('http://127.0.0.1:1/', { signal: AbortSignal.abort(reason) })).toBe(reason)
  for (const begin of [ENDLESS_ANSWERS['never answers'], ENDLESS_ANSWERS['sends half a body']]) {
    const ending = new AbortController()
    const closed = Promise.withResolvers<void>()
    const { origin } = await startRawServer((socket) => {
      socket.on('close', closed.resolve)
      begin?.(socket)
      setTimeout(() => ending.abort(reason), 50)
    })
    expect(await read(origin, { signal: ending.signal })).toBe(reason)
    await closed.promise
  }
})

test('a reader that cancels the body closes the connection', async () => {
  const closed = Promise.withResolvers<void>()
  const url = await listen((_request, response) => {
    response.on('close', closed.resolve).write('begin')
  })
  const response = await fetchAnswer(url)
  await response.body?.cancel()
  await closed.promise
})

test('a connection is kept for the next request, but not where the host is resolved by the caller', async () => {
  const ports = new Set<unknown>()
  const url = await listen((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('well')
  })
  await read(url)
  await read(url)
  expect(ports.size).toBe(1)
  const lookup = (
    _host: string,
    _options: unknown,
    done: (error: null, addresses: { address: string; family: number }[]) => void,
  ): void => done(null, [{ address: '127.0.0.1', family: 4 }])
  const named = url.replace('127.0.0.1', 'somewhere.example')
  expect(await read(named, {}, { lookup })).toEqual([200, 'well'])
  expect(await read(named, {}, { lookup })).toEqual([200, 'well'])
  expect(ports.size).toBe(3)
})

test('a request that cannot be sent fails with an error that does not quote it, and leaves nothing behind', async () => {
  const url = await listen((_request, response) => response.end('well'))
  const begun = process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length
  for (const value of [
    'the-secret\u0001',
    'the-secret\nx',
    'the-secret\u{1f600}',
    'the-secret\u0000',
  ]) {
    const errors = [
      await read(new Request(url), { headers: { 'x-key': value } }),
      await read(url, { headers: [['x-key', value]] }),
    ]
    for (const error of errors) {
      expect(error).toMatchObject({ name: 'TypeError', cause: { code: 'ERR_NOT_SENT' } })
      expect(inspect(error)).not.toContain('the-secret')
    }
  }
  expect(await read(url.replace('//', '//me:the-secret@'))).toMatchObject({
    name: 'TypeError',
    cause: { message: expect.stringMatching(/^the address of "127\.0\.0\.1:\d+" has a user name/) },
  })
  expect(process.getActiveResourcesInfo().filter((each) => each === 'Timeout')).toHaveLength(begun)
  expect(await read(url, { headers: { 'x-key': ' the-secret\n' } })).toEqual([200, 'well'])
})

test('a secret in a content-encoding is masked as it was sent', async () => {
  const url = await listen((request, response) =>
    response.writeHead(200, { 'content-encoding': request.headers.authorization ?? '' }).end('x'),
  )
  const error = await read(url, { headers: { authorization: 'Bearer The-Secret-123' } })
  expect(error).toMatchObject({
    what: expect.stringContaining('the content-encoding "Bearer ***"'),
  })
})

/** Answers each request. When a number says so, it closes all connections. It sets the number after each of these steps. */
const BESIDE = `
const { createServer } = require('node:net')
const { parentPort, workerData: step } = require('node:worker_threads')
const sockets = new Set()
const say = (number) => { Atomics.store(step, 0, number); Atomics.notify(step, 0) }
const answer = 'HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nok'
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined).on('data', () => socket.write(answer, () => say(1)))
})
parentPort.on('message', () => {
  for (const socket of sockets) socket.destroy()
  say(2)
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

/** Starts this server in another thread, which works while this one waits and reads nothing. */
async function startBeside() {
  const step = new Int32Array(new SharedArrayBuffer(4))
  const server = new Worker(BESIDE, { eval: true, workerData: step })
  onTestFinished(async () => void (await server.terminate()))
  const [port] = await once(server, 'message')
  const url = `http://127.0.0.1:${port}/`
  expect(await read(url)).toEqual([200, 'ok'])
  Atomics.store(step, 0, 0)
  /** Waits for the next step of the server. */
  const wait = (): void => void Atomics.wait(step, 0, 0)
  return { url, server, wait }
}

test('a connection that was not used for some time is not used again: the server may have closed it', async () => {
  const { url, server, wait } = await startBeside()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  server.postMessage('close')
  wait()
  expect(await read(url, {}, { keptMs: 0 })).toEqual([200, 'ok'])
})

test('an answer that has arrived while this process was busy is read, however late', async () => {
  const { url, wait } = await startBeside()
  const headMs = 100
  const answering = read(url, {}, { headMs })
  // The request is sent when the current step is over.
  setImmediate(() => {
    wait()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, headMs * 2)
  })
  expect(await answering).toEqual([200, 'ok'])
})
