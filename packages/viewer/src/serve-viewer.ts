import { requireArguments, MAX_CONNECTIONS, MAX_REQUEST_MS } from '@toolblocks/protocol/internal'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { createViewer, type ViewerOptions } from './create-viewer.ts'
import { guardPages } from './guard.ts'

/** Pages on a running server. */
export interface ServedViewer {
  /**
   * Returns the address with the token, of the list (an empty text) or of a page. `here`: for a browser on this machine; `outside`: at the origin of the
   * proxy. Default: `outside` with an origin, else `here`.
   */
  getUrl(page: string, from?: 'here' | 'outside'): string
  /** Shows another store at the same addresses. Pages that are open get the events of it that they do not have. */
  show(store: ConversationStore, readStatistics?: ViewerOptions['readStatistics']): void
  close(): Promise<void>
}

/** Options of `serveViewer`. */
export interface ServeViewerOptions extends Omit<ViewerOptions, 'ended'> {
  /** The port. Default: a free one. */
  port?: number
  /** The origin at which the user's own proxy offers the pages, as `readOrigin` returns it. Default: only this machine can open them. */
  origin?: string
}

/** Serves the pages on a port of this machine, guarded for one user. Rejects if the port cannot be used. */
export async function serveViewer(served: ServeViewerOptions): Promise<ServedViewer> {
  requireArguments('serveViewer(served)', [served, 'object'])
  const { port: chosen = 0, origin, ...options } = served
  let port = chosen
  let ending = new AbortController()
  let pages = createViewer({ ...options, ended: ending.signal })
  const guarded = guardPages(async (request) => await pages(request), {
    port: () => port,
    answers: options.answers ? 'accept' : 'refuse',
    ...(origin !== undefined && { origin }),
  })
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const opened = serve(
      {
        fetch: guarded.fetch,
        hostname: '127.0.0.1',
        port,
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
    getUrl: (page, from = 'outside') => {
      const here = `http://127.0.0.1:${port}`
      const base = from === 'outside' ? (origin ?? here) : here
      return `${base}${guarded.path}${page}#t=${guarded.token}`
    },
    show: (store, readStatistics) => {
      const before = ending
      ending = new AbortController()
      const { readStatistics: _earlier, ...others } = options
      pages = createViewer({
        ...others,
        store,
        ended: ending.signal,
        ...(readStatistics && { readStatistics }),
      })
      before.abort()
    },
    close: async () =>
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        // Streams stay open until they are told to end.
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
