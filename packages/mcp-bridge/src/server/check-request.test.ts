import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readRequestBody } from './check-request.ts'

/** Reads a body that was written by hand. */
async function read(pieces: readonly string[]): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const server = createServer((incoming, response) => {
    void readRequestBody(incoming, { bytes: 1000, ms: 200 }).then((body) => {
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

test.for<[string, readonly string[], unknown]>([
  ['JSON', ['{"a":', '1}'], { body: { a: 1 } }],
  ['something else', ['{"a":'], { status: 400 }],
  ['one that is too large', ['x'.repeat(1001)], { status: 413 }],
  ['one that is much too large', ['x'.repeat(9000)], { status: 413 }],
  [
    'one that is nested without a ground',
    ['['.repeat(500)],
    { status: 400, message: 'A request may have at most 64 levels and 1000000 values.' },
  ],
  ['one that does not come', ['{"a":', SLOW], { status: 408 }],
  ['one of which nothing comes', [SLOW], { status: 408 }],
])('a body: %s', async ([, pieces, expected]) => {
  expect(await read(pieces)).toMatchObject({ ...(expected as object) })
})
