import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { type RunningHttpService, serveHttp, type ToolService } from '@toolblocks/mcp-bridge/server'
import { createSuccessResult } from '@toolblocks/protocol'
import { createMarkedServer, FORM, INPUT, untilAborted } from './marked-server.ts'

/** A server whose every message contains the mark of the client that it is about. */
export interface MarkedServer {
  url: string
  /** Ends the server and all its connections, waits, and starts it again at the same address. It then knows no session of before. */
  restart(pauseMs: number): Promise<void>
  close(): Promise<void>
}

/** Starts a server of MCP 2025-11-25, made with the official SDK, with a session for each connection. */
export async function startSessionServer(): Promise<MarkedServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known) return await known.handleRequest(request, response)
    if (request.headers['mcp-session-id'] !== undefined)
      return void response.writeHead(404).end('unknown session')
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await createMarkedServer().connect(transport)
    await transport.handleRequest(request, response)
  }

  const http = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const port = await listenAt(http, 0)
  async function end(): Promise<void> {
    if (!http.listening) return
    const ended = once(http, 'close')
    http.close()
    http.closeAllConnections()
    const known = [...sessions.values()]
    sessions.clear()
    await Promise.all([ended, ...known.map(async (each) => await each.close())])
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    restart: async (pauseMs) => {
      await end()
      await pause(pauseMs)
      await listenAt(http, port)
    },
    close: end,
  }
}

/** Listens at a port of the loopback address, and returns it. 0 is a free one. */
async function listenAt(http: HttpServer, port: number): Promise<number> {
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  if (typeof address !== 'object' || address === null) throw new Error('it listens at no port')
  return address.port
}

/** Starts a server of both versions, which the gateway reaches with MCP 2026-07-28: its connection is shared by all clients. */
export async function startSharedServer(): Promise<MarkedServer> {
  const service: ToolService = {
    name: 'shared',
    version: '1',
    root: '/',
    definitions: () =>
      (['say', 'ask', 'progress', 'slow'] as const).map((name) => ({ name, inputSchema: INPUT })),
    callTool: async (call, { ask, onProgress, signal }) => {
      const {
        name,
        arguments: { mark },
      } = call
      const say = (text: string) => createSuccessResult([{ type: 'text', text }])
      switch (name) {
        case 'ask': {
          const request = { id: 'name', text: `question of ${String(mark)}`, schema: FORM }
          const source = { kind: 'question', call } as const
          const answer = await ask?.user?.(request, { blocks: [], source, signal })
          return say(`answer ${JSON.stringify(answer)}`)
        }
        case 'progress':
          onProgress?.({ progress: 1, message: `progress of ${String(mark)}` })
          return say(`done ${String(mark)}`)
        case 'slow':
          await untilAborted(signal)
          return say(`cancelled ${String(mark)}`)
        default:
          return say(`said ${String(mark)}`)
      }
    },
  }
  const start = async (port: number): Promise<RunningHttpService> =>
    await serveHttp(service, { port, token: SHARED_TOKEN })
  let served = await start(0)
  const { url } = served
  const end = async (): Promise<void> => await served.close({ graceMs: 0 })
  return {
    url,
    restart: async (pauseMs) => {
      await end()
      await pause(pauseMs)
      served = await start(Number(new URL(url).port))
    },
    close: end,
  }
}

/** The token of the shared server. The other one takes any. */
export const SHARED_TOKEN = 'token-of-the-shared-server-0123456789'
