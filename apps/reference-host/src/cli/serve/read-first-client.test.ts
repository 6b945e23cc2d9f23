import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readFirstClient } from './read-first-client.ts'

const { signal } = new AbortController()
const capabilities = { sampling: {} }
const info = { name: 'x', version: '1' }

test.for<[string, object, object]>([
  [
    'initialize',
    { method: 'initialize', params: { capabilities, clientInfo: info } },
    { hasSession: true },
  ],
  [
    'a request of MCP 2026-07-28',
    {
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/clientCapabilities': capabilities,
          'io.modelcontextprotocol/clientInfo': info,
        },
      },
    },
    {},
  ],
])(
  '%s says what the client supports, and the next reader receives it',
  async ([, message, more]) => {
    const input = new PassThrough()
    const line = `${JSON.stringify(message)}\n`
    input.write(line.slice(0, 20))
    setImmediate(() => input.write(`${line.slice(20)}{"next":1}\n`))
    const first = await readFirstClient(input, signal)
    expect(first.client).toEqual({ capabilities, info, ...more })
    input.end('{"last":1}\n')
    expect(await text(first.input)).toBe(`${line}{"next":1}\n{"last":1}\n`)
  },
)

test('an input that ends without a message has ended for the next reader, too', async () => {
  const input = new PassThrough()
  input.end()
  const first = await readFirstClient(input, signal)
  expect(await text(first.input)).toBe('')
})

test('of a client that says nothing of itself, everything can be asked', async () => {
  const input = new PassThrough()
  input.write('no message\n')
  const { client } = await readFirstClient(input, signal)
  expect(client.capabilities).toHaveProperty('elicitation')
})

test('of a client that sends nothing at first, everything can be asked, and the next reader receives what it sends', async () => {
  const input = new PassThrough()
  const first = await readFirstClient(input, signal)
  expect(first.client.capabilities).toHaveProperty('elicitation')
  input.end('later\n')
  expect(await text(first.input)).toBe('later\n')
})

test('the wait ends with its signal', async () => {
  const ending = new AbortController()
  const reading = readFirstClient(new PassThrough(), ending.signal)
  ending.abort()
  expect((await reading).client.capabilities).toHaveProperty('sampling')
})

test('nothing that waited for the first message is left when it was read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const input = new PassThrough()
  const events = ['readable', 'end', 'close', 'error']
  const countListeners = (): number[] => events.map((event) => input.listenerCount(event))
  const before = countListeners()
  input.write('no message\n')
  await readFirstClient(input, signal)
  expect(countListeners()).toEqual(before)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
})
