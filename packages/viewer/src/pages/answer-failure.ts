import { StoreError, type StoreErrorCode } from '@toolblocks/conversation-store'
import type { Context } from 'hono'

/** Errors that another request, or another address, does not have. */
const STATUSES: Partial<Record<StoreErrorCode, 400 | 503>> = {
  'invalid-cursor': 400,
  'invalid-id': 400,
  busy: 503,
}

/** Answers a request that a store could not answer with the store's own sentence. Any other error is a fault of this program, and is thrown. */
export function answerFailure(error: Error, context: Context): Response {
  if (!(error instanceof StoreError)) throw error
  return context.text(`${error.message}\n`, STATUSES[error.code] ?? 500)
}

/** Answers a request about a conversation that has no events. */
export function answerUnknownConversation(context: Context): Response {
  return context.text('There is no such conversation.\n', 404)
}
