/** What a client is told that uses the id of a request again before its answer. */
export function duplicateId(id: string | number): string {
  return `The request id ${JSON.stringify(id)} is in use: the earlier request with this id has no answer yet.`
}

// Codes of errors: JSON-RPC 2.0's, then those of MCP's specification.
export const SERVER_ERROR = -32_000
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const INTERNAL_ERROR = -32_603

export const HEADER_MISMATCH = -32_020
export const MISSING_CAPABILITY = -32_021
export const UNSUPPORTED_VERSION = -32_022
/** A server of MCP 2025-11-25 wants pages visited before it does the call. */
export const URL_ELICITATION_REQUIRED = -32_042
