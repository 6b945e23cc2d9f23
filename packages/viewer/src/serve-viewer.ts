import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { MAX_CONNECTIONS, MAX_REQUEST_MS } from '@toolblocks/protocol/limits'
import { createViewer, type ViewerOptions } from './create-viewer.ts'
import { guardPages } from './guard.ts'

/** Pages on a running server. */
export interface ServedViewer {
  /** Returns the address with the token, of the list (an empty text) or of a page. */
  getUrl(page: string): string
  close(): Promise<void>
}

/** Serves the pages on a port of this machine, guarded for one user. */
export async function serveViewer(options: ViewerOptions): Promise<ServedViewer> {
  let port = 0
  const guarded = guardPages(createViewer(options), { port: () => port })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const opened = serve(
      {
        fetch: guarded.fetch,
        hostname: '127.0.0.1',
        port: 0,
        serverOptions: { requestTimeout: MAX_REQUEST_MS, headersTimeout: MAX_REQUEST_MS },
      },
      (info: AddressInfo) => {
        port = info.port
        resolve(opened)
      },
    )
    opened.once('error', reject)
    opened.maxConnections = MAX_CONNECTIONS
  })
  return {
    getUrl: (page) => `http://127.0.0.1:${port}${guarded.path}${page}#t=${guarded.token}`,
    close: async () =>
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Streams stay open until they are told to end.
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
