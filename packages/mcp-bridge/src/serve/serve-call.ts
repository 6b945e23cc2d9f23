import { randomUUID } from 'node:crypto'
import {
  type CallContext,
  type JsonObject,
  type JsonSchema,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { META_WARNINGS } from '@toolblocks/protocol/meta'
import { fitOutputSchema } from '../results/fit-output-schema.ts'
import {
  type Era,
  toCallToolResult,
  toStrictResult,
  withStructuredContent,
} from '../results/from-call-tool-result.ts'
import { toStrictDefinition } from '../results/strict-definition.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import type { ToolService } from './tool-service.ts'

/** How an era serves a client. */
export interface ClientProtocol {
  readonly era: Era
  /** Says something that belongs to the request. */
  notify: (method: string, params: JsonObject) => Promise<void>
  /** Runs the call that the request wants: what it asks is asked in the era's way. */
  serveCall: (context: Pick<CallContext, 'signal' | 'root' | 'onProgress'>) => Promise<JsonObject>
}

/** Answers what clients of both eras ask in the same words. */
export async function serveRequest(
  service: ToolService,
  { method, params, signal }: PeerRequest,
  { era, notify, serveCall }: ClientProtocol,
): Promise<JsonObject> {
  switch (method) {
    case 'tools/list':
      return {
        tools: service.definitions().map((definition) => toStrictDefinition(definition, era)),
      }
    case 'tools/call':
      return await serveCall({ signal, root: service.root, ...getProgress(params, notify) })
    case 'resources/read':
      return await serveRead(service, params, signal)
    case 'resources/list':
      if (service.readResource) return { resources: [] }
  }
  throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
}

/** The call that a request wants; throws an `RpcError` where no such tool is offered. */
export function readCall(
  service: ToolService,
  { name, arguments: given }: JsonObject,
  id: string = randomUUID(),
): ToolCall {
  if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "name".')
  if (!service.definitions().some((definition) => definition.name === name))
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name}`)
  return { id, name, arguments: isJsonObject(given) ? given : {} }
}

/** Reports a call's progress to a client that wants it. MCP wants a number on each report, which grows; a tool's own is kept. */
function getProgress(
  { _meta: meta }: JsonObject,
  notify: ClientProtocol['notify'],
): Pick<CallContext, 'onProgress'> {
  const progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined
  if (progressToken === undefined) return {}
  let last = 0
  return {
    onProgress: (report) => {
      last = report.progress ?? last + 1
      const params = { ...report, progress: last, progressToken }
      void notify('notifications/progress', params).catch(() => undefined)
    },
  }
}

/** A result for a client of MCP; one that ended on a question says how to settle it. */
export function toServedResult(
  result: ToolResult,
  { canAsk, era, outputSchema }: { canAsk: boolean; era: Era; outputSchema?: JsonSchema },
): JsonObject {
  const told = withPromisedData(withWarnings(toCallToolResult(result), result), result, {
    era,
    outputSchema,
  })
  const strict = toStrictResult(told, era)
  if (result.metadata?.outcome !== 'unanswered') return strict
  const content = Array.isArray(strict['content']) ? strict['content'] : []
  const text = canAsk
    ? 'This tool asks a question that was not answered. Call it again when somebody can answer.'
    : 'This tool asks a question, and this client cannot ask its user (MCP elicitation). Answer it in the configuration of the server, or use a client that can.'
  return { ...strict, isError: true, content: [...content, { type: 'text', text }] }
}

/** Clients check structured content: where the schema describes the `data` of a semantic value, they get the data. */
function withPromisedData(
  served: JsonObject,
  result: ToolResult,
  { era, outputSchema: schema }: { era: Era; outputSchema: JsonSchema | undefined },
): JsonObject {
  if (schema === undefined || result.isError || !('structuredContent' in result)) return served
  const fit = fitOutputSchema(result, schema)
  // A legacy client gets no schema but that of an object, and takes no other data.
  const isTaken = fit.kind === 'data' && (era === 'modern' || isJsonObject(fit.data))
  return isTaken ? withStructuredContent(served, fit.data) : served
}

/** The `outputSchema` of the tool that a call is for, as a field to be given on. */
export function toMcpOutputSchema(
  service: ToolService,
  { name }: Pick<ToolCall, 'name'>,
): { outputSchema?: JsonSchema } {
  const { outputSchema } =
    service.definitions().find((definition) => definition.name === name) ?? {}
  return { ...(outputSchema !== undefined && { outputSchema }) }
}

/** Whoever wrote the tool may look at it from here: what was skipped or misread is said there too. */
function withWarnings(served: JsonObject, { metadata }: ToolResult): JsonObject {
  const { warnings = [] } = metadata ?? {}
  if (warnings.length === 0) return served
  const { _meta: meta } = served
  return { ...served, _meta: { ...(isJsonObject(meta) && meta), [META_WARNINGS]: warnings } }
}

/** Reads a resource for a client. */
async function serveRead(
  { readResource }: ToolService,
  { uri }: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (!readResource) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  if (typeof uri !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "uri".')
  const result = await readResource(uri, signal)
  if (result.isError) {
    const [first] = result.content
    const why = first?.type === 'text' ? first.text : 'The resource could not be read.'
    throw new RpcError(INVALID_PARAMS, why)
  }
  const { content } = toServedResult(result, { canAsk: false, era: 'legacy' })
  const blocks = Array.isArray(content) ? content : []
  return {
    contents: blocks.flatMap((block: unknown) => (isJsonObject(block) ? [block['resource']] : [])),
  }
}
