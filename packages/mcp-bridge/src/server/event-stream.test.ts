import { createServer, type RequestListener } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { type EventStream, openEventStream } from './event-stream.ts'

/** Serves a stream of events. Returns its address. */
async function serveStream(write: (events: EventStream) => Promise<void>): Promise<string> {
  return await listen((request, response) => {
    request.resume()
    const events = openEventStream(response)
    void write(events).then(events.end)
  })
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://127.0.0.1:${port}`
}

/** Serves the given number of events of 6 KB each. Returns the address, and how many were sent so far. */
async function serveEvents(count: number): Promise<{ address: string; countSent: () => number }> {
  let sent = 0
  const address = await serveStream(async (events) => {
    for (; sent < count; sent += 1) await events.send({ text: '字'.repeat(2000) })
  })
  return { address, countSent: () => sent }
}

test('a client that reads slower than the tool sends receives every event', async () => {
  const { address } = await serveEvents(3000)
  const response = await fetch(address)
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    await setTimeout(1)
  }
  expect(text.match(/^event: message$/gm)).toHaveLength(3000)
})

test('a send waits while the client does not read, and ends when the client is gone', async () => {
  const { address, countSent } = await serveEvents(1e5)
  const controller = new AbortController()
  const response = await fetch(address, { signal: controller.signal })
  const stands = async (): Promise<boolean> => {
    const before = countSent()
    await setTimeout(200)
    return before > 0 && countSent() === before
  }
  await expect.poll(stands, { timeout: 20_000 }).toBe(true)
  expect(countSent()).toBeLessThan(1e5)
  expect(response.bodyUsed).toBe(false)
  controller.abort()
  await expect.poll(countSent, { timeout: 20_000 }).toBe(1e5)
})

test('a client that reads nothing is sent no more notifications, but the answer', async () => {
  const notification = { method: 'notifications/message', params: { data: 'x'.repeat(100_000) } }
  const address = await serveStream(async (events) => {
    for (let count = 0; count < 1000; count += 1) void events.send(notification)
    await events.send({ id: 1, result: {} })
  })
  const text = await (await fetch(address)).text()
  expect(text).toContain('"result":{}')
  const { length } = text.match(/notifications/g) ?? []
  expect(length).toBeGreaterThan(100)
  expect(length).toBeLessThan(300)
})

test('a stream that is opened when its client has gone takes no memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const opened: WeakRef<object>[] = []
  const gone = new AbortController()
  const address = await listen((_request, response) => {
    response.once('close', () => {
      openEventStream(response)
      opened.push(new WeakRef(response))
    })
    gone.abort()
  })
  await expect(fetch(address, { signal: gone.signal })).rejects.toThrow('abort')
  await expect.poll(() => opened.length).toBe(1)
  const isKept = (): boolean => {
    collect()
    return opened[0]?.deref() !== undefined
  }
  await expect.poll(isKept, { timeout: 5000 }).toBe(false)
})

test('many messages that a client has not taken need no further listener, of which Node.js would warn', async () => {
  const { promise: counted, resolve } = Promise.withResolvers<[before: number, after: number]>()
  const settled = Promise.withResolvers<void>()
  const address = await listen((request, response) => {
    request.resume()
    const { send } = openEventStream(response)
    const before = response.listenerCount('close')
    const sending = Array.from({ length: 50 }, async () => await send({ text: '字'.repeat(1e5) }))
    resolve([before, response.listenerCount('close')])
    void Promise.all(sending).then(() => settled.resolve())
  })
  const controller = new AbortController()
  await fetch(address, { signal: controller.signal })
  const [before, after] = await counted
  expect(after).toBe(before)
  controller.abort()
  await settled.promise
})
