import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { SharedDocument, SharedDocuments } from '../server/replicas/shared-documents.ts'

/** Documents of one process, for several services in it. `fail()`: every later use through this view fails. */
export function createSharedDocuments(): { open(): SharedDocuments & { fail(): void } } {
  const stored = new Map<string, SharedDocument & { collection: string }>()
  return {
    open: () => {
      let isFailing = false
      const use = <Value>(work: () => Value): Promise<Value> =>
        isFailing ? Promise.reject(new Error('the store is gone')) : Promise.resolve(work())
      const read = (collection: string, id: string): SharedDocument | undefined =>
        stored.get(`${collection} ${id}`)
      return {
        read: async (...about) => await use(() => read(...about)),
        list: async (collection, { state, limit }) =>
          await use(() => {
            const all = [...stored.values()].filter(
              (each) =>
                each.collection === collection && (state === undefined || each.state === state),
            )
            return { documents: all.slice(0, limit) }
          }),
        write: async ({ collection, id, version, state, value }) =>
          await use(() => {
            const known = read(collection, id)
            if ((known?.version ?? 0) !== version)
              return { ok: false, ...(known && { document: known }) }
            const document = { collection, id, version: version + 1, state, value }
            stored.set(`${collection} ${id}`, structuredClone(document))
            return { ok: true, document }
          }),
        remove: async (collection, id, version) =>
          await use(
            () => read(collection, id)?.version === version && stored.delete(`${collection} ${id}`),
          ),
        fail: () => (isFailing = true),
      }
    },
  }
}

/** A proxy that sends each request to the next of its targets, as a load balancer does. */
export interface Balancer {
  url: string
  /** Where requests go, in turn. */
  targets: string[]
  /** Cuts the connections that are open now. */
  cut(): void
  /** Accepts no connection any more, and cuts the open ones. */
  close(): void
}

/** Starts a proxy until the test ends. A target that refuses the connection is passed over. */
export async function startBalancer(...targets: string[]): Promise<Balancer> {
  let turn = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.once('end', () => pass(balancer.targets.length))

    function pass(left: number): void {
      const target = balancer.targets[turn % balancer.targets.length]
      turn += 1
      if (target === undefined || left === 0) return void response.writeHead(502).end()
      const { host } = new URL(target)
      const url = new URL(request.url ?? '/', target)
      const { method } = request
      const sent = sendRequest(url, { method, agent: false, headers: { ...request.headers, host } })
      sent.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        response.flushHeaders()
        answer.pipe(response)
        answer.once('error', () => response.destroy())
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') pass(left - 1)
        else response.destroy()
      })
      response.once('close', () => sent.destroy())
      sent.end(Buffer.concat(chunks))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  const balancer: Balancer = {
    url: `http://127.0.0.1:${port}/mcp`,
    targets: targets.map((target) => new URL(target).origin),
    cut: () => server.closeAllConnections(),
    close,
  }
  return balancer
}
