import type { Socket } from 'node:net'
import { rawAnswer, startRawServer } from './raw-server.support.ts'

/** The requests of a connection to a server of MCP over HTTP, by the protocol version of the client. */
export const MCP_REQUESTS = {
  '2025-11-25': [
    'initialize',
    'notifications/initialized',
    'GET',
    'tools/list',
    'tools/call',
    'DELETE',
  ],
  '2026-07-28': ['server/discover', 'tools/list', 'tools/call'],
} as const

/** A server of MCP over HTTP, each of whose answers can be replaced by any bytes. */
export interface RawMcp {
  readonly url: string
  /** Replaces the answer to one request: a method of MCP or of HTTP. */
  replace: { request: string; answer: (socket: Socket) => void } | undefined
}

/** Starts a server with the tool `echo`. */
export async function startRawMcp(): Promise<RawMcp> {
  const raw = await startRawServer((socket, { head, body }) => {
    const { method, answer } = answerMcp(head, body)
    if (server.replace?.request === method) server.replace.answer(socket)
    else socket.end(answer)
  })
  const server: RawMcp = { url: `${raw.origin}/mcp`, replace: undefined }
  return server
}

/** Returns the method of a request, of MCP or of HTTP, and what the server answers. */
export function answerMcp(head: string, body: string): { method: string; answer: string } {
  const [, verb = ''] = /^(\S+)/.exec(head) ?? []
  const { id, method = verb } = (body === '' ? {} : JSON.parse(body)) as {
    id?: number
    method?: string
  }
  const result = RESULTS[method]
  if (verb === 'GET') return { method, answer: rawAnswer(405, '') }
  if (result === undefined) return { method, answer: rawAnswer(202, '') }
  const message = JSON.stringify({ jsonrpc: '2.0', id, result })
  return { method, answer: rawAnswer(200, message, { 'mcp-session-id': 's' }) }
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  },
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'well' }] },
}
