import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { RunningCall } from '../calls/running-calls.ts'
import { RpcError } from '../connection/connection.ts'
import { signalOf } from '../connection/ending.ts'
import { answerElicitation } from './answer-elicitation.ts'
import { type AskingServer, answerRequest, duringPause } from './answer-requests.ts'
import { readElicitation } from './read-elicitation.ts'

/** What goes along when the same call is made again. */
export interface Retry {
  inputResponses?: JsonObject
  requestState?: string
}

/**
 * Answers what a result with `inputRequests` asks, one after the other in its order. Only this round's answers are sent: earlier ones are
 * the server's to keep, in the `requestState` that it gets back as it was.
 */
export async function answerInputRequired(
  document: JsonObject,
  running: RunningCall,
  asking: AskingServer,
): Promise<Retry> {
  const { inputRequests, requestState } = document
  const responses: [string, JsonObject][] = []
  for (const [key, request] of Object.entries(isJsonObject(inputRequests) ? inputRequests : {}))
    responses.push([key, await answerOne(key, request, { running, asking })])
  return {
    ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
    ...(typeof requestState === 'string' && { requestState }),
  }
}

async function answerOne(
  key: string,
  request: unknown,
  { running, asking }: { running: RunningCall; asking: AskingServer },
): Promise<JsonObject> {
  const method = isJsonObject(request) ? request['method'] : undefined
  const params = isJsonObject(request) && isJsonObject(request['params']) ? request['params'] : {}
  const signal = signalOf(running.deadline)
  if (method !== 'elicitation/create') return await answerOther({ method, params }, signal, asking)
  const elicitation = readElicitation(params)
  if (!elicitation) return { action: 'cancel' }
  const answer = await duringPause(
    running,
    asking.calls,
    async () =>
      await answerElicitation(elicitation, {
        server: asking.server,
        id: key,
        call: running.call,
        context: running.context,
        signal,
        warn: (problem) => void running.warnings.push(problem),
      }),
  )
  return { ...answer }
}

/** There is no word for a refusal in a response; an empty one says nothing. */
async function answerOther(
  { method, params }: { method: unknown; params: JsonObject },
  signal: AbortSignal,
  asking: AskingServer,
): Promise<JsonObject> {
  if (typeof method !== 'string') return {}
  try {
    return await answerRequest({ method, params, signal }, asking)
  } catch (error) {
    if (error instanceof RpcError) return {}
    throw error
  }
}
