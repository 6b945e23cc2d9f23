import type { Server } from 'node:http'
import { onTestFinished } from 'vitest'

/** Listens at a free port of the loopback address until the test ends, and returns the origin. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens at no port')
  return `http://127.0.0.1:${address.port}`
}
