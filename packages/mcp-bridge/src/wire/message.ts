import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  scanJson,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_UNSCANNED_BYTES,
  describeValue,
} from '@toolblocks/protocol/internal'

/** The id of a request. */
export type Id = string | number

/** The error of a response. */
export interface MessageError {
  code: number
  message: string
  data?: unknown
}

/** A JSON-RPC message with a valid envelope; its content is unchanged. */
export type RpcMessage =
  | { kind: 'response'; id: Id; result: unknown }
  | { kind: 'error'; id: Id; error: MessageError }
  | { kind: 'request'; id: Id; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }

/** Whether a message to the other side is a notification: it has no answer, and may be lost. */
export function isNotification({ id, method }: JsonObject): boolean {
  return method !== undefined && id === undefined
}

// Codes of errors of JSON-RPC 2.0 and of MCP.
export const SERVER_ERROR = -32_000
/** The other side has not answered; the code that MCP's SDKs use. */
export const NOT_ANSWERED = -32_001
/** The resource is unknown, up to MCP 2025-11-25; later versions use `INVALID_PARAMS`. */
export const RESOURCE_NOT_FOUND = -32_002
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

export const HEADER_MISMATCH = -32_020
export const MISSING_CAPABILITY = -32_021
export const UNSUPPORTED_VERSION = -32_022

/** An error that is sent to the other side as the answer to its request. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

/** The error message for a client that uses the id of a request again before its answer. */
export function duplicateId(id: Id): string {
  return `The request id ${JSON.stringify(id)} is in use: the earlier request with this id has no answer yet.`
}

/** Whether parsing a message could take many times its size in memory. */
export function isTooDense(text: string): boolean {
  return text.length > MAX_UNSCANNED_BYTES && scanJson(text).exceeds !== undefined
}

export const TOO_DENSE = `has more than ${MAX_JSON_NODES} values or ${MAX_JSON_DEPTH} levels`

/** Reads one or more messages; returns nothing for an invalid message. */
export function readMessages(value: unknown): readonly RpcMessage[] {
  // MCP 2025-03-26 allowed several messages in one array.
  if (Array.isArray(value)) return value.flatMap((item) => readMessage(item) ?? [])
  const message = readMessage(value)
  return message ? [message] : []
}

function readMessage(value: unknown): RpcMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const { id, method } = value
  if (typeof method === 'string') {
    const params = isJsonObject(value['params']) ? value['params'] : {}
    return isId(id)
      ? { kind: 'request', id, method, params }
      : { kind: 'notification', method, params }
  }
  if (!isId(id)) return undefined
  if ('error' in value && value['error'] !== undefined && value['error'] !== null)
    return { kind: 'error', id, error: readError(value['error']) }
  return 'result' in value ? { kind: 'response', id, result: value['result'] } : undefined
}

export function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number'
}

function readError(error: unknown): MessageError {
  if (!isJsonObject(error))
    return {
      code: INTERNAL_ERROR,
      message: typeof error === 'string' ? error : describeValue(error),
    }
  const { code, message, data } = error
  return {
    code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : describeValue(message),
    ...(data !== undefined && { data }),
  }
}

/** Returns a message in its JSON-RPC form. */
export function writeMessage({ kind: _kind, ...fields }: RpcMessage): JsonObject {
  return { jsonrpc: '2.0', ...fields }
}

/** Methods that the service itself answers for all features. */
export const SUBSCRIBE = 'resources/subscribe'
export const UNSUBSCRIBE = 'resources/unsubscribe'
/** Announces that a subscribed resource has changed. */
export const UPDATED = 'notifications/resources/updated'
/** A log message of the server. */
export const LOG_MESSAGE = 'notifications/message'
