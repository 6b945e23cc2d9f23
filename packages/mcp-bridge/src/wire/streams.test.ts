import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { RpcMessage } from './message.ts'
import type { Wire } from './peer.ts'
import { wireOverStreams } from './streams.ts'

const ping = (id: number, more: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', ...more })}\n`

function open(
  mostBytes?: number,
  hear: (message: RpcMessage, wire: Wire) => void = () => undefined,
): { input: PassThrough; output: PassThrough; got: unknown[]; closed: Promise<void> } {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const wire = wireOverStreams(input, output, mostBytes)
  const got: unknown[] = []
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  wire.start({
    onMessage: (message) => {
      got.push(message)
      hear(message, wire)
    },
    onStray: () => undefined,
    onLoss: () => undefined,
    onEnd: () => resolve(),
  })
  return { input, output, got, closed }
}

const settle = async (): Promise<void> => await new Promise((next) => void setTimeout(next, 10))

test('a line that is too long is answered with the limit, and ends the connection', async () => {
  const { input, output, got, closed } = open(1000)
  input.write(ping(1))
  input.write('x'.repeat(2000))
  await closed
  expect(got).toMatchObject([{ id: 1 }])
  expect(JSON.parse(String(output.read()))).toMatchObject({
    id: null,
    error: { code: -32_600, message: 'A message may have at most 1000 bytes.' },
  })
})

test('a message that is nested too deeply is refused, and the next one is read', async () => {
  const { input, output, got } = open()
  input.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(1_000_000)}\n`)
  input.write(`no JSON\n\n${ping(2)}`)
  await settle()
  expect(got).toMatchObject([{ id: 2 }])
  expect(String(output.read())).toContain(
    'A message may have at most 64 levels and 1000000 values.',
  )
})

// A reader that scans its buffer with each piece would take minutes for this.
test('a long line in small pieces is read in linear time', async () => {
  const { input, got } = open()
  const line = ping(1, { params: { a: 'x'.repeat(30_000_000) } })
  for (let start = 0; start < line.length; start += 1024)
    input.write(line.slice(start, start + 1024))
  await expect.poll(() => got.length, { timeout: 20_000 }).toBe(1)
})

test('a client that takes no answers is not read until it takes them', async () => {
  const answer = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(50_000) } }
  const { input, output, got } = open(100_000, (_message, wire) => void wire.send(answer, {}))
  for (let id = 0; id < 50; id += 1) {
    input.write(ping(id))
    await new Promise(setImmediate)
  }
  await settle()
  expect(got.length).toBeLessThan(10)
  output.resume()
  await expect.poll(() => got.length, { timeout: 20_000 }).toBe(50)
})

test('a client that reads nothing is sent no more notifications, but every answer', async () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const wire = wireOverStreams(input, output, 100_000)
  const notification = {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { data: 'x'.repeat(9000) },
  }
  for (let count = 0; count < 1000; count += 1) void wire.send(notification, {})
  await wire.send({ jsonrpc: '2.0', id: 1, result: {} }, {})
  expect(output.writableLength).toBeLessThan(120_000)
  let text = ''
  output.on('data', (chunk) => (text += String(chunk)))
  await expect.poll(() => text).toContain('"result":{}')
  await wire.send(notification, {})
  await expect.poll(() => text.endsWith(`${JSON.stringify(notification)}\n`)).toBe(true)
})
