import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type BodyBudget, readRequestBody, type RequestBody } from './check-request.ts'

/** What comes of a body that is written by hand. */
async function read(pieces: readonly string[], budget: BodyBudget): Promise<RequestBody> {
  const { promise, resolve } = Promise.withResolvers<RequestBody>()
  const server = createServer((incoming, response) => {
    void readRequestBody(incoming, budget).then((body) => {
      resolve(body)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const sent = request({ port, method: 'POST' }).on('error', () => undefined)
  for (const piece of pieces) sent.write(piece)
  if (pieces.at(-1) !== SLOW) sent.end()
  return await promise
}

const SLOW = ' '
const budget = { bytes: 1000, ms: 200 }

test.for<[string, readonly string[], RequestBody]>([
  ['JSON', ['{"a":', '1}'], { kind: 'json', body: { a: 1 } }],
  ['something else', ['{"a":'], { kind: 'no-json' }],
  ['one that is too large', ['x'.repeat(1001)], { kind: 'too-large' }],
  ['one that is much too large', ['x'.repeat(9000)], { kind: 'too-large' }],
  ['one that is nested without a ground', ['['.repeat(500)], { kind: 'too-deep' }],
  ['one that does not come', ['{"a":', SLOW], { kind: 'too-slow' }],
  ['one of which nothing comes', [SLOW], { kind: 'too-slow' }],
])('a body: %s', async ([, pieces, expected]) => {
  expect(await read(pieces, budget)).toEqual(expected)
})
