import { randomUUID } from 'node:crypto'
import { type AnswerQuestion, type CallContext, type JsonObject } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { MAX_INQUIRY_ROUNDS } from '@toolblocks/protocol/limits'
import { INVALID_PARAMS, RpcError } from '../wire/message.ts'
import { type ClientModes, readAnswer, toElicitation } from './elicitation.ts'
import {
  type CallState,
  digest,
  type GivenAnswer,
  type StateOwner,
  type StateSealer,
} from './sealed-state.ts'
import { toMcpOutputSchema, readCall, toServedResult } from './serve-call.ts'
import type { ToolService } from './tool-service.ts'

/** One round of a call: the request, and the client's capabilities. */
export interface CallRound {
  params: JsonObject
  inputResponses: JsonObject
  requestState: string | undefined
  modes: ClientModes
  /** The client's identity, as far as it is known. */
  caller: string
  context: Pick<CallContext, 'signal' | 'root' | 'onProgress'>
}

/**
 * Runs a call as far as its questions have been answered. The next question ends this attempt and becomes `input_required`, with all earlier
 * answers sealed in its state. The client's next request runs the call again from its start.
 */
export async function callInRounds(
  service: ToolService,
  sealer: StateSealer,
  given: CallRound,
): Promise<JsonObject> {
  const { params, modes, caller, context } = given
  const before = openState(sealer, given)
  const callId = before?.callId ?? randomUUID()
  const round = (before?.round ?? 0) + 1
  const call = readCall(service, params, round === 1 ? callId : `${callId}.${round}`)
  const answers = getAnswers(before, given.inputResponses)
  const attempt = new AbortController()
  const asking = replay(answers, modes, attempt)
  const canAsk = modes.form || modes.url
  const result = await service.callTool(call, {
    ...context,
    signal: AbortSignal.any([context.signal, attempt.signal]),
    ...(canAsk && { ask: { user: asking.user } }),
  })
  const next = asking.next()
  if (!next)
    return toServedResult(result, {
      canAsk,
      protocolVersion: '2026-07-28',
      ...toMcpOutputSchema(service, call),
    })
  if (round > MAX_INQUIRY_ROUNDS)
    throw new RpcError(
      INVALID_PARAMS,
      `The call still asks questions after ${MAX_INQUIRY_ROUNDS} rounds.`,
    )
  const { key, elicitation } = next
  const state = {
    callId,
    round,
    answers: asking.used(),
    asked: { key, question: next.question },
  }
  return {
    resultType: 'input_required',
    inputRequests: { [key]: { method: 'elicitation/create', params: elicitation } },
    requestState: sealer.seal(state, getOwner(params, caller)),
  }
}

function openState(
  sealer: StateSealer,
  { params, requestState, caller }: CallRound,
): CallState | undefined {
  if (requestState === undefined) return undefined
  const opened = sealer.open(requestState, getOwner(params, caller))
  if (!opened.ok) throw new RpcError(INVALID_PARAMS, opened.message)
  return opened.state
}

function getOwner({ name, arguments: given }: JsonObject, caller: string): StateOwner {
  return {
    operation: 'tools/call',
    name: String(name),
    arguments: isJsonObject(given) ? given : {},
    caller,
  }
}

/** The answers of earlier rounds and of this one. A question that this round does not answer is asked again. */
function getAnswers(before: CallState | undefined, responses: JsonObject): readonly GivenAnswer[] {
  if (!before) return []
  const { key, question } = before.asked
  const response = Object.hasOwn(responses, key) ? responses[key] : undefined
  return isJsonObject(response) ? [...before.answers, { question, response }] : before.answers
}

interface NextQuestion {
  key: string
  question: string
  elicitation: JsonObject
}

/** Answers questions with known answers, in their order; the first other question ends the attempt. */
function replay(
  answers: readonly GivenAnswer[],
  modes: ClientModes,
  attempt: AbortController,
): { user: AnswerQuestion; next(): NextQuestion | undefined; used(): readonly GivenAnswer[] } {
  let used = 0
  let next: NextQuestion | undefined
  return {
    next: () => next,
    used: () => answers.slice(0, used),
    user: async (request, context) => {
      const asked = toElicitation(request, context, modes)
      if ('action' in asked) return asked
      const { elicitationId: _new, ...put } = asked.params
      const question = digest(put)
      const known = next ? undefined : answers[used]
      // If the question has changed since it was answered, it is asked again.
      if (known?.question === question) {
        used += 1
        return readAnswer(known.response, asked.form)
      }
      next ??= { key: request.id, question, elicitation: asked.params }
      attempt.abort()
      return { action: 'cancel', reason: 'aborted' }
    },
  }
}
