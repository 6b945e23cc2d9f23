import { randomUUID } from 'node:crypto'
import {
  type CallContext,
  type JsonObject,
  type JsonSchema,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  getText,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  META_CLIENT,
  META_WARNINGS,
  formatErrorTrace,
  quoteName,
} from '@toolblocks/protocol/internal'
import { fitOutputSchema } from '../client/fit-output-schema.ts'
import {
  type ProtocolVersion,
  toCallToolResult,
  toStrictResult,
  withStructuredContent,
} from '../client/from-call-tool-result.ts'
import { toStrictDefinition } from '../client/strict-definition.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import { isOfProtocol } from '../wire/request-meta.ts'
import { adaptDefinition, adaptResult } from './adapt-to-host.ts'
import { type HostProfile, findResultsProfile } from './host-profile.ts'
import type { FeatureRequest, ServedClient } from './served-features.ts'
import type { ToolService } from './tool-service.ts'

/** How a protocol version serves a client. */
export interface ClientProtocol {
  readonly protocolVersion: ProtocolVersion
  /** Sends a notification that belongs to the request. */
  notify: (method: string, params: JsonObject) => Promise<void>
  readonly client: ServedClient
}

/** Answers a request other than `tools/call`: the others are the same in all protocol versions. */
export async function serveRequest(
  service: ToolService,
  { method, params, signal }: PeerRequest,
  { protocolVersion, client }: Omit<ClientProtocol, 'notify'>,
): Promise<JsonObject> {
  if (method.endsWith('/list')) await service.starting?.wait()
  const offered = await answerByFeatures(service, { method, params, signal }, client)
  if (offered) return offered
  const adapt = (definition: ToolDefinition): ToolDefinition => {
    const profile = findResultsProfile(service.results, client.info, definition)
    return profile ? adaptDefinition(definition, profile) : definition
  }
  switch (method) {
    case 'tools/list':
      return {
        tools: service
          .definitions()
          .map((definition) => toStrictDefinition(adapt(definition), protocolVersion)),
        ...tellStarting(service),
      }
    case 'resources/read':
      return await serveRead(service, params, signal)
    case 'resources/list':
      if (service.readResource) return { resources: [] }
  }
  throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
}

/** Says in a list of tools which servers are missing. */
function tellStarting({ starting }: ToolService): JsonObject {
  const warnings = (starting?.names() ?? []).map((name) => ({
    path: '',
    message: `The server ${quoteName(name)} is still starting. Its tools come later.`,
  }))
  return warnings.length === 0 ? {} : { _meta: { [META_WARNINGS]: warnings } }
}

/** Answers a request that does not concern tools. `undefined`: it does, or the features have no such method. */
async function answerByFeatures(
  { features }: ToolService,
  request: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject | undefined> {
  if (!features || request.method.startsWith('tools/')) return undefined
  try {
    return await features.answer(request, client)
  } catch (error) {
    if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) return undefined
    throw error
  }
}

/** Returns the requested call; rejects with an `RpcError` if there is no such tool. */
export async function readCall(
  service: ToolService,
  { name, arguments: values, _meta: meta }: JsonObject,
  id: string = randomUUID(),
): Promise<ToolCall> {
  if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'Expected a "name".')
  const isKnown = (): boolean =>
    service.definitions().some((definition) => definition.name === name)
  if (!isKnown()) await service.starting?.wait(name)
  const call = { id, name, arguments: isJsonObject(values) ? values : {} }
  if (!isKnown()) {
    await service.onUnknownTool?.(call).catch(() => undefined)
    const late = (service.starting?.names() ?? []).map(quoteName).join(', ')
    const hint = late === '' ? '' : `; still starting: ${late}`
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name}${hint}`)
  }
  const clientMeta = isJsonObject(meta) ? getClientMeta(meta) : {}
  return {
    ...call,
    ...(Object.keys(clientMeta).length > 0 && { _meta: { [META_CLIENT]: clientMeta } }),
  }
}

/** Returns the fields that a client adds to a request, without those of the protocol. */
function getClientMeta(meta: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(meta).filter(([field]) => field !== 'progressToken' && !isOfProtocol(field)),
  )
}

/** Returns the context of a requested call, without the way to ask its client. */
export function getCallContext(
  { root }: Pick<ToolService, 'root'>,
  { params, signal }: PeerRequest,
  notify: ClientProtocol['notify'],
): Pick<CallContext, 'signal' | 'root' | 'onProgress'> {
  return { signal, root, ...getProgress(params, notify) }
}

/** Reports a call's progress to a client that requested it. MCP requires a growing number in each report; a tool's own number is kept. */
export function getProgress(
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

/** Returns a result for an MCP client. If it ended on a question, a text says how to answer it. */
export function toServedResult(
  returned: ToolResult,
  {
    canAsk,
    protocolVersion,
    outputSchema,
    errorTrace = true,
    profile,
  }: { canAsk: boolean; protocolVersion: ProtocolVersion } & ServedForm,
): JsonObject {
  const result = profile ? adaptResult(returned, profile) : returned
  const callResult = withPromisedData(
    withServedWarnings(toCallToolResult(result), result),
    result,
    {
      protocolVersion,
      outputSchema,
    },
  )
  const strict = errorTrace
    ? withErrorTrace(toStrictResult(callResult, protocolVersion), result)
    : toStrictResult(callResult, protocolVersion)
  if (result.metadata?.outcome !== 'unanswered') return strict
  const content = Array.isArray(strict['content']) ? strict['content'] : []
  const text = canAsk
    ? 'This tool asks a question that was not answered. Call it again when a person can answer.'
    : 'This tool asks a question, and this client cannot ask its user (MCP elicitation). Answer it in the configuration of the server, or use a client that can.'
  return { ...strict, isError: true, content: [...content, { type: 'text', text }] }
}

/** Adds the causes of an error, which the models of clients do not get from `_meta`. */
function withErrorTrace(served: JsonObject, result: ToolResult): JsonObject {
  const text = formatErrorTrace(
    result,
    result.content.map((block) => getText(block) ?? '').join('\n'),
  )
  if (text === undefined) return served
  const { content } = served
  return {
    ...served,
    content: [...(Array.isArray(content) ? content : []), { type: 'text', text }],
  }
}

/** Clients validate structured content: if the schema describes the `data` of a semantic value, they receive the data. */
function withPromisedData(
  served: JsonObject,
  result: ToolResult,
  {
    protocolVersion,
    outputSchema: schema,
  }: { protocolVersion: ProtocolVersion; outputSchema: JsonSchema | undefined },
): JsonObject {
  if (schema === undefined || result.isError || !('structuredContent' in result)) return served
  const fit = fitOutputSchema(result, schema)
  // Clients of MCP up to 2025-11-25 receive only schemas of objects, and accept no other data.
  const isTaken =
    fit.kind === 'data' && (protocolVersion === '2026-07-28' || isJsonObject(fit.data))
  return isTaken ? withStructuredContent(served, fit.data) : served
}

/** How the results of a tool are served to a client. */
interface ServedForm {
  outputSchema?: JsonSchema
  errorTrace?: boolean
  /** Default: results are served as they are. */
  profile?: HostProfile
}

/** Returns how the results of a tool are served to a client. */
export function getServedForm(
  service: ToolService,
  { name }: Pick<ToolCall, 'name'>,
  client: Pick<ServedClient, 'info'>,
): ServedForm {
  const { definitions, errorTrace } = service
  const definition = definitions().find((each) => each.name === name)
  const { outputSchema } = definition ?? {}
  const profile = findResultsProfile(service.results, client.info, definition)
  return {
    ...(outputSchema !== undefined && { outputSchema }),
    ...(errorTrace !== undefined && { errorTrace }),
    ...(profile && { profile }),
  }
}

/** The author of the tool may test it through this server, so the warnings about skipped or repaired fields are included. */
function withServedWarnings(served: JsonObject, { metadata }: ToolResult): JsonObject {
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
  const { content } = toServedResult(result, { canAsk: false, protocolVersion: '2025-11-25' })
  const blocks = Array.isArray(content) ? content : []
  return {
    contents: blocks.flatMap((block: unknown) => (isJsonObject(block) ? [block['resource']] : [])),
  }
}
