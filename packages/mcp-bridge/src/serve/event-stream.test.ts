import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from './event-stream.ts'

/** Serves the given number of events of 6 KB each. Returns the address, and how many were sent so far. */
async function serveEvents(count: number): Promise<{ address: string; countSent: () => number }> {
  let sent = 0
  const server = createServer((request, response) => {
    request.resume()
    const events = openEventStream(response)
    void (async () => {
      for (; sent < count; sent += 1) await events.send({ text: '字'.repeat(2000) })
      events.end()
    })()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { address: `http://127.0.0.1:${port}`, countSent: () => sent }
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
