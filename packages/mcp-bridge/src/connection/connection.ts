import type { JsonObject, ToolDefinition } from '@toolblocks/protocol'
import type { ServerInfo, WireMessage } from '../mcp-server.ts'
import type { McpServerErrorCode } from '../mcp-server-error.ts'
import type { Ending } from './ending.ts'

/** Why a request has no answer of the server. */
export interface Loss {
  kind: McpServerErrorCode | 'session-expired' | 'lost' | 'too-large'
  /** One line of ours, for a person or a model. */
  reason: string
  /** What the server or its program said about it, which is quoted. */
  said?: string
  /** Whether the server may have done what was asked. */
  maybeExecuted: boolean
  /** Whether asking again may help. */
  transient: boolean
}

/** What came of a request. */
export type Reply =
  /** As it came; no field was dropped or checked. */
  | { kind: 'result'; result: unknown }
  /** An error of the server's. */
  | { kind: 'error'; code: number; message: string; data?: unknown }
  | { kind: 'loss'; loss: Loss }
  /** The caller ended it; the server was told. */
  | { kind: 'aborted' }

/** A request of the server's. */
export interface ServerRequest {
  method: string
  params: JsonObject
  /** Aborts when the server takes it back. */
  signal: AbortSignal
  /** The progress token of the request of ours that it belongs to, where the transport tells. */
  token?: string
}

/** Who hears what a server says unasked. */
export interface ConnectionListener {
  /** Rejects with an `RpcError` for what is not answered. */
  onRequest: (request: ServerRequest) => Promise<JsonObject>
  onNotification: (method: string, params: JsonObject) => void
  onStrayLine: (line: string) => void
  onMessage?: (message: WireMessage) => void
}

/** A connection that has said hello. It ends once and does not come back. */
export interface Connection {
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion: string
  readonly capabilities: JsonObject
  readonly info?: ServerInfo
  readonly instructions?: string
  /** Never rejects, and has no deadline of its own. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<Reply>
  /** `tools/call`, with the headers that the tool's definition wants where there are headers. Else like `request`. */
  call(params: JsonObject, definition: ToolDefinition, ending: Ending): Promise<Reply>
  /** Settles when the connection is no more, with the reason. */
  readonly ended: Promise<Loss>
  close(): Promise<void>
}

/** Opens a connection; rejects with a `McpServerError`. */
export type OpenConnection = (signal: AbortSignal) => Promise<Connection>

/** An error that is sent to the server as the answer to its request. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}
