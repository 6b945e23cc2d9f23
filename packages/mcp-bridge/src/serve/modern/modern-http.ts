import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { createModernServer, type ModernService } from './modern-server.ts'
import { digest } from './sealed-state.ts'

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
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      const asked = new Request('http://localhost/mcp', {
        method: request.method ?? 'POST',
        headers: headersOf(request),
        signal: gone.signal,
      })
      const answer = await handler.fetch(asked, { parsedBody: body })
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

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
