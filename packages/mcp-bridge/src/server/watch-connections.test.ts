import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { watchConnections } from './watch-connections.ts'

const HEAD_MS = 50
const REQUEST = 'GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n'

/** Starts a server on a free port. */
async function start(listener: RequestListener) {
  const server = createServer(listener)
  watchConnections(server, { most: 10, headMs: HEAD_MS })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return { server, port: address.port }
}

function send(port: number, input: string): Socket {
  const socket = connect(port, '127.0.0.1', () => void socket.write(input))
  return socket
}

/** Keeps this thread busy until another thread has changed a number, and then for longer than the limit. */
function beBusy(flag: Int32Array<SharedArrayBuffer>): void {
  Atomics.wait(flag, 0, 0)
  Atomics.wait(flag, 0, 1, HEAD_MS * 4)
}

const SENDER = `
const { connect } = require('node:net')
const { text } = require('node:stream/consumers')
const { parentPort, workerData: { port, request, flag } } = require('node:worker_threads')
const socket = connect(port, '127.0.0.1', () => socket.write(request, () => {
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
}))
const answer = (said) => parentPort.postMessage(said)
text(socket).then(answer, (error) => answer(error.message))
`

test.for([
  ['sends nothing', ''],
  ['sends half of a head', REQUEST.slice(0, 20)],
] as const)('a connection that %s is closed', async ([, input]) => {
  const { port } = await start((_, response) => response.end('here'))
  const socket = send(port, input)
  expect(await text(socket)).toBe('')
})

test('a request that has arrived while this process was busy is answered, however late it is read', async () => {
  const { server, port } = await start((_, response) => response.end('here'))
  const flag = new Int32Array(new SharedArrayBuffer(4))
  server.once('connection', () => beBusy(flag))
  const sender = new Worker(SENDER, {
    eval: true,
    workerData: { port, request: REQUEST, flag },
  })
  onTestFinished(async () => void (await sender.terminate()))
  expect(await once(sender, 'message')).toEqual([expect.stringContaining('here')])
})

test('a request that was heard is answered, however long its answer takes', async () => {
  const flag = new Int32Array(new SharedArrayBuffer(4))
  Atomics.store(flag, 0, 1)
  const { port } = await start((_, response) => {
    beBusy(flag)
    // What the limit would do comes first.
    setTimeout(() => setImmediate(() => response.end('here')))
  })
  expect(await text(send(port, REQUEST))).toContain('here')
})
