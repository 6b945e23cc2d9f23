import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { MAX_CONNECTIONS, MAX_REQUEST_MS } from '@toolblocks/protocol'
import { createGuard } from './guard.ts'
import { createViewApp, type ViewOptions } from './create-view-app.ts'

/** Pages that are served. */
export interface ServedView {
  /** The address with the token, of the list (an empty text) or of a page. */
  urlOf(page: string): string
  close(): Promise<void>
}

/** Serves the pages on a port of this machine that nobody else can reach. */
export async function serveView(options: Omit<ViewOptions, 'guard'>): Promise<ServedView> {
  let port = 0
  const guard = createGuard(() => port)
  const app = createViewApp({ ...options, guard })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const opened = serve(
      {
        fetch: app.fetch,
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
    urlOf: (page) => `http://127.0.0.1:${port}${guard.path}${page}#t=${guard.token}`,
    close: async () =>
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Followers stay until they are told.
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
