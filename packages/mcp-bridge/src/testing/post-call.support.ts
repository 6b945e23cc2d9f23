import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import type { RunningHttpService } from '../serve-http.ts'
import { bearer } from './served.support.ts'

export const VERSION = '2026-07-28'
export const META = 'io.modelcontextprotocol'

/** Sends a call of MCP 2026-07-28 that was written by hand. */
export async function postCall(
  served: RunningHttpService,
  params: JsonObject,
  {
    client = 'hand',
    headers = {},
    method = 'tools/call',
    extensions = {},
    logLevel,
  }: {
    client?: string
    headers?: Record<string, string>
    method?: string
    extensions?: JsonObject
    logLevel?: string
  } = {},
): Promise<JsonObject> {
  const meta = {
    [`${META}/protocolVersion`]: VERSION,
    [`${META}/clientInfo`]: { name: client, version: '1' },
    [`${META}/clientCapabilities`]: { elicitation: { form: {} }, extensions },
    ...(logLevel !== undefined && { [`${META}/logLevel`]: logLevel }),
  }
  const response = await fetch(served.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': 'tool',
      ...bearer(served),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { name: 'tool', ...params, _meta: meta },
    }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, ...(isJsonObject(answer) && answer) }
}
