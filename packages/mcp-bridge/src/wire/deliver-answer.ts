import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@toolblocks/protocol'
import { explainStatus } from './explain-loss.ts'
import type { Loss } from './peer.ts'

/** How many times an answer is sent again, and the milliseconds before the first time; doubled each time. */
const MAX_REPEATS = 3
const FIRST_PAUSE_MS = 1000

/** Statuses with which nothing was received: a later attempt may succeed. */
const LATER: ReadonlySet<number> = new Set([429, 503])
/** Statuses with which nothing was received, however often it is sent. */
const NEVER: ReadonlySet<number> = new Set([401, 403, 413])

/** What an answer is sent with. */
interface AnswerPost {
  /** Sends a message over HTTP. Rejects if there is no response. */
  post(message: JsonObject): Promise<Response>
  /** Explains a refused message, if the protocol knows more than its status. Reads the response. */
  explain(response: Response): Promise<Loss | undefined>
  /** Aborts when the connection ends. */
  ended: AbortSignal
}

/**
 * Sends an answer to a request of the server, during which one of our requests waits. Returns why the server surely did not receive it. With any other status,
 * and without a response, the server may have received it. Never rejects.
 */
export async function deliverAnswer(
  answer: JsonObject,
  { post, explain, ended }: AnswerPost,
): Promise<Loss | undefined> {
  for (let count = 0; ; count += 1) {
    const response = await post(answer).catch(() => undefined)
    if (ended.aborted || response?.ok) {
      await response?.body?.cancel()
      return undefined
    }
    const refusal = response && (await explain(response))
    if (refusal?.kind === 'session-expired')
      return (await isForgotten({ post, explain })) ? refusal : undefined
    if (response && NEVER.has(response.status)) return explainStatus(response.status, '')
    if (response && !LATER.has(response.status)) return undefined
    if (count === MAX_REPEATS) return response && explainStatus(response.status, '')
    await pause(FIRST_PAUSE_MS * 2 ** count, undefined, { signal: ended }).catch(() => undefined)
    if (ended.aborted) return undefined
  }
}

/** Whether the server refuses the session of any message. Some servers answer only an answer so. */
async function isForgotten({ post, explain }: Omit<AnswerPost, 'ended'>): Promise<boolean> {
  const ping = { jsonrpc: '2.0', id: 'is-the-session-known', method: 'ping' }
  const response = await post(ping).catch(() => undefined)
  if (!response) return false
  if (!response.ok) return (await explain(response))?.kind === 'session-expired'
  await response.body?.cancel()
  return false
}
