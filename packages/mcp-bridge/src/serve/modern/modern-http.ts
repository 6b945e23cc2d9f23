import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { ToolService } from '../tool-service.ts'
import { findArgumentMismatch } from '../../wire/request-headers.ts'
import { createModernServer, type ModernService } from './modern-server.ts'
import { digest } from './sealed-state.ts'
import { HEADER_MISMATCH, METHOD_NOT_FOUND } from '../../wire/message.ts'

/** What answers requests of the modern era, each on its own. */
export interface ModernEndpoint {
  answer(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>
  close(): Promise<void>
}

/** Makes an endpoint of the modern era; who may reach it has been checked. */
export function openModernEndpoint(modern: ModernService): ModernEndpoint {
  const handler = createMcpHandler(
    ({ requestInfo }) =>
      createModernServer(modern, digest(requestInfo?.headers.get('authorization') ?? '')),
    { legacy: 'reject' },
  )
  const unwatch = modern.service.onDefinitionsChanged?.(() => handler.notify.toolsChanged())
  return {
    answer: async (request, response, body) => {
      const mismatch = mismatchOf(modern.service, request, body)
      if (mismatch) {
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify(mismatch))
        return
      }
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const asked = new Request('http://localhost/mcp', {
        method: request.method ?? 'POST',
        headers: headersOf(request),
        signal: gone.signal,
      })
      const answer = await withStatus(await handler.fetch(asked, { parsedBody: body }), body)
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      for await (const chunk of answer.body ?? [])
        if (!response.write(chunk) && !gone.signal.aborted)
          await once(response, 'drain', { signal: gone.signal })
      response.end()
    },
    close: async () => {
      unwatch?.()
      await handler.close()
    },
  }
}

/** The answer to a call whose headers say something else than its arguments. */
function mismatchOf(
  { definitions }: ToolService,
  { headers }: IncomingMessage,
  body: unknown,
): JsonObject | undefined {
  if (!isJsonObject(body) || body['method'] !== 'tools/call') return undefined
  const params = isJsonObject(body['params']) ? body['params'] : {}
  const { name, arguments: given } = params
  const definition = definitions().find((tool) => tool.name === name)
  if (!definition || !isJsonObject(given)) return undefined
  const mismatch = findArgumentMismatch(definition.inputSchema, given, headers)
  if (!mismatch) return undefined
  const { header, reason } = mismatch
  const message = `The headers and the arguments of the call disagree: ${header}: ${reason}.`
  const error = { code: HEADER_MISMATCH, message, data: { mismatch: { header, body: reason } } }
  return { jsonrpc: '2.0', id: body['id'] ?? null, error }
}

/** What is always there, and may answer at length or for long. */
const KNOWN = new Set(['tools/call', 'tools/list', 'subscriptions/listen'])

/** HTTP has a status of its own for methods that are not there; the SDK knows only of those without a handler. */
async function withStatus(answer: Response, body: unknown): Promise<Response> {
  const method = isJsonObject(body) ? body['method'] : undefined
  if (answer.status !== 200 || (typeof method === 'string' && KNOWN.has(method))) return answer
  if (answer.headers.get('content-type') !== 'application/json') return answer
  const { headers } = answer
  const text = await answer.text()
  const said: unknown = JSON.parse(text)
  const error = isJsonObject(said) ? said['error'] : undefined
  const isMissing = isJsonObject(error) && error['code'] === METHOD_NOT_FOUND
  return new Response(text, { status: isMissing ? 404 : 200, headers })
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
