import {
  isJsonObject,
  type JsonObject,
  type Operation,
  type OperationEnd,
  type Telemetry,
  type TelemetryAttributes,
} from '@toolblocks/protocol'
import { METHOD_NOT_FOUND } from './message.ts'
import type { PeerTraces, TracedRequest } from './peer.ts'
import { META } from './request-meta.ts'

/** Where the messages of a peer go, as OpenTelemetry describes it. */
export interface TracedPlace {
  /** Whether this side is the client or the server of MCP. */
  readonly side: 'client' | 'server'
  /** Absent: unknown. */
  readonly transport?: 'pipe' | 'tcp'
  /** Returns the id of the session over HTTP, if there is one. */
  readonly session?: () => string | undefined
  /** Returns what is known of the client: its IP address, and who it is. */
  readonly client?: () => {
    readonly address?: string | undefined
    readonly identified?: { readonly name: string } | undefined
  }
  /** The address of the server. */
  readonly address?: { readonly host: string; readonly port: number }
}

/** The longest name of a tool, a prompt or a method that is reported. */
const MAX_NAME = 128
const MAX_URI = 1000
/** The longest arguments and results. */
const MAX_CONTENT = 65_536

/** A stream for changes is no operation: it ends with its connection. */
const LISTEN = 'subscriptions/listen'

const VERSION = `${META}/protocolVersion`
const CLIENT_INFO = `${META}/clientInfo`

/** Reports the requests of a peer by the conventions of OpenTelemetry for MCP. */
export function tracePeer(
  telemetry: Telemetry,
  { side, transport, session, client, address }: TracedPlace,
): PeerTraces {
  const startedAt = performance.now()
  const network: TelemetryAttributes = {
    ...(transport && { 'network.transport': transport }),
    ...(transport === 'tcp' && { 'network.protocol.name': 'http' }),
    ...(address && { 'server.address': address.host, 'server.port': address.port }),
  }
  /** The version that a session has agreed on. */
  let version: string | undefined
  let clientName: string | undefined

  function describe(
    { id, method, params }: TracedRequest,
    role: 'client' | 'server',
  ): Operation & { isCall: boolean } {
    const { name: named, uri, _meta: meta, arguments: values } = params
    const isCall = method === 'tools/call'
    const target =
      (isCall || method === 'prompts/get') && typeof named === 'string'
        ? cut(named, MAX_NAME)
        : undefined
    const fields = isJsonObject(meta) ? meta : {}
    const ownVersion = fields[VERSION]
    const info = method === 'initialize' ? params['clientInfo'] : fields[CLIENT_INFO]
    const infoName = isJsonObject(info) ? info['name'] : undefined
    if (typeof infoName === 'string') clientName = cut(infoName, MAX_NAME)
    const methodName = cut(method, MAX_NAME)
    const from = client?.()
    return {
      isCall,
      name: target === undefined ? methodName : `${methodName} ${target}`,
      kind: role,
      duration: `mcp.${role}.operation.duration`,
      attributes: {
        'mcp.method.name': methodName,
        'mcp.protocol.version': typeof ownVersion === 'string' ? cut(ownVersion, 32) : version,
        ...network,
        ...(target !== undefined && { [isCall ? TOOL : PROMPT]: target }),
        ...(isCall && { 'gen_ai.operation.name': 'execute_tool' }),
      },
      details: {
        'jsonrpc.request.id': cut(String(id), MAX_NAME),
        'mcp.session.id': session?.(),
        'client.address': from?.address,
        'user.name': from?.identified && cut(from.identified.name, MAX_NAME),
        'mcp.resource.uri': typeof uri === 'string' ? withoutSecrets(uri) : undefined,
        ...(side === 'server' && { 'toolblocks.client.name': clientName }),
        ...(isCall &&
          telemetry.capturesContent && {
            'gen_ai.tool.call.arguments': cut(JSON.stringify(values ?? {}), MAX_CONTENT),
          }),
      },
    }
  }

  /** Returns what the end of a request adds. */
  function describeResult(result: unknown, method: string, isCall: boolean): OperationEnd {
    if (!isJsonObject(result)) return {}
    const { protocolVersion: agreed, isError } = result
    if (method === 'initialize' && typeof agreed === 'string') version = cut(agreed, 32)
    return {
      ...(method === 'initialize' && { attributes: { 'mcp.protocol.version': version } }),
      ...(isCall && isError === true && { error: 'tool_error' }),
      ...(isCall &&
        isError !== true &&
        telemetry.capturesContent && {
          details: { 'gen_ai.tool.call.result': cut(JSON.stringify(result), MAX_CONTENT) },
        }),
    }
  }

  return {
    ask: (request) => {
      const { method, params } = request
      if (method === LISTEN) return undefined
      const { isCall, ...operation } = describe(request, 'client')
      const running = telemetry.start(operation)
      return {
        params: withTrace(params, running.traceFields()),
        end: (reply) => {
          switch (reply.kind) {
            case 'result':
              return running.end(describeResult(reply.result, method, isCall))
            case 'error':
              return running.end(describeError(reply.code))
            case 'loss':
              return running.end({ error: reply.loss.kind })
            case 'aborted':
              return running.end({ error: 'cancelled' })
          }
        },
      }
    },
    answer: (request) => {
      const { method, params } = request
      if (method === LISTEN) return undefined
      const { isCall, ...operation } = describe(request, 'server')
      const { _meta: meta } = params
      const running = telemetry.start({
        ...operation,
        ...(isJsonObject(meta) && { asked: meta }),
        // What was open when the connection was opened has nothing to do with a request of the server.
        ...(side === 'client' && { isApart: true }),
      })
      return {
        run: running.run,
        end: (answered) => {
          if (answered === 'cancelled') running.end({ error: 'cancelled' })
          else if ('error' in answered) running.end(describeError(answered.error.code))
          else running.end(describeResult(answered.result, method, isCall))
        },
      }
    },
    close: (loss) => {
      // MCP 2026-07-28 has no sessions.
      if (version === undefined) return
      const isFailure = side === 'client' && loss.kind !== 'closed'
      telemetry.record(`mcp.${side}.session.duration`, (performance.now() - startedAt) / 1000, {
        'mcp.protocol.version': version,
        ...network,
        ...(isFailure && { 'error.type': loss.kind }),
      })
    },
  }
}

const TOOL = 'gen_ai.tool.name'
const PROMPT = 'gen_ai.prompt.name'

/** The names of a request that is refused may be invented; each would be another series of the durations. */
function describeError(code: number): OperationEnd {
  return {
    error: String(code),
    attributes: {
      'rpc.response.status_code': String(code),
      [TOOL]: undefined,
      [PROMPT]: undefined,
      ...(code === METHOD_NOT_FOUND && { 'mcp.method.name': '_OTHER' }),
    },
  }
}

/** Names an operation in `_meta`, in place of the one that the caller named. */
function withTrace(params: JsonObject, fields: Readonly<Record<string, string>>): JsonObject {
  if (Object.keys(fields).length === 0) return params
  const { _meta: meta } = params
  const { traceparent: _parent, tracestate: _state, ...others } = isJsonObject(meta) ? meta : {}
  return { ...params, _meta: { ...others, ...fields } }
}

/** Returns a URI without user names, passwords and queries. */
function withoutSecrets(uri: string): string {
  return cut(
    uri
      .slice(0, MAX_URI * 2)
      .replace(/[?#][^]*$/, '')
      .replace(/\/\/[^/]*@/, '//'),
    MAX_URI,
  )
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
