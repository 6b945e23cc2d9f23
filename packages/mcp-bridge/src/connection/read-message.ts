import {
  describeValue,
  isJsonObject,
  type JsonObject,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_UNSCANNED_BYTES,
  scanJson,
} from '@toolblocks/protocol'

/** A JSON-RPC message whose envelope is well-formed; what is in it is as it came. */
export type Message =
  | { kind: 'response'; id: string | number; result: unknown }
  | { kind: 'error'; id: string | number; error: { code: number; message: string; data?: unknown } }
  | { kind: 'request'; id: string | number; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }

/** Whether parsing a message could take many times its size in memory. */
export function isTooDense(text: string): boolean {
  return text.length > MAX_UNSCANNED_BYTES && scanJson(text).exceeds !== undefined
}

export const TOO_DENSE = `has more than ${MAX_JSON_NODES} values or ${MAX_JSON_DEPTH} levels`

/** Reads what a server sent as one or more messages; what is no message reads as nothing. */
export function readMessages(value: unknown): readonly Message[] {
  // MCP 2025-03-26 allowed several messages in one array.
  if (Array.isArray(value)) return value.flatMap((item) => readMessage(item) ?? [])
  const message = readMessage(value)
  return message ? [message] : []
}

function readMessage(value: unknown): Message | undefined {
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

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || typeof id === 'number'
}

function readError(error: unknown): { code: number; message: string; data?: unknown } {
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

const INTERNAL_ERROR = -32603
