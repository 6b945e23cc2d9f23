import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from './event-stream.ts'

test('nothing is written after the end of a stream whose client has not read it yet', async () => {
  const { promise: written, resolve, reject } = Promise.withResolvers<void>()
  const server = createServer((_request, response) => {
    response.once('error', reject)
    const stream = openEventStream(response)
    stream.end()
    stream.retry()
    stream.prime('1')
    void stream.send({ jsonrpc: '2.0', method: 'notifications/message' })
    setImmediate(() => setImmediate(resolve))
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}`)
  await written
  expect(await answer.text()).toBe('')
})
