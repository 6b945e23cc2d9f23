import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { AnswerQuestion, JsonObject } from '@toolblocks/protocol'
import { type ClientModes, readAnswer, toElicitation } from './question-elicitation.ts'

/** A person is given all the time. */
const NEVER_MS = 2 ** 31 - 1

/** Asks the user of a client, through an elicitation that belongs to the request of a call. */
export function askClient(
  server: Server,
  modes: ClientModes,
  requestId: string | number,
): AnswerQuestion {
  async function elicit(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const options = { relatedRequestId: requestId, timeout: NEVER_MS, signal }
    return await server.request({ method: 'elicitation/create', params }, ResultSchema, options)
  }
  return async (request, context) => {
    const asked = toElicitation(request, context, modes)
    if ('action' in asked) return asked
    try {
      return readAnswer(await elicit(asked.params, context.signal), asked.form)
    } catch (error) {
      if (context.signal.aborted) return { action: 'cancel', reason: 'aborted' }
      const reason = error instanceof Error ? error.message : String(error)
      return { action: 'cancel', reason: 'failed', message: `the client did not ask: ${reason}` }
    }
  }
}
