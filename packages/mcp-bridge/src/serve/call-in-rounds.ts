import { randomUUID } from 'node:crypto'
import type { JsonObject, ToolResult } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { MAX_INQUIRY_ROUNDS, MAX_SERVED_CALLS } from '@toolblocks/protocol/limits'
import { INVALID_PARAMS, RpcError } from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { type CallAttempt, type CallRequest, beginAttempt, getResponse } from './call-attempt.ts'
import { getModes } from './elicitation.ts'
import type { CallState, GivenAnswer, StateOwner, StateSealer } from './sealed-state.ts'
import { toMcpOutputSchema, readCall, toServedResult } from './serve-call.ts'
import type { FollowedCalls } from './tasks-extension.ts'
import type { ToolService } from './tool-service.ts'

/** One round of a call: the request, and the client's capabilities. */
interface CallRound extends CallRequest {
  params: JsonObject
  inputResponses: JsonObject
  requestState: string | undefined
  /** The client's identity, as far as it is known. */
  caller: string
}

/** Runs calls whose questions end the request. */
export interface CallsInRounds {
  /** Runs a call as far as its questions have been answered; the open ones become `input_required`, with all earlier answers sealed in its state. */
  serve(round: CallRound): Promise<JsonObject>
  /** Ends the calls that wait for their client. */
  close(): void
}

/** Milliseconds that a call waits for the next request of its client. Then it ends, and a later request runs it again. */
const HOLD_MS = 10 * 60 * 1000
/** Calls that wait for their clients at the same time. Above it, the oldest one ends, so that clients that never come back leave room for others. */
const MAX_HELD = MAX_SERVED_CALLS / 2

/**
 * Creates the calls of a service. A call that asks waits in this process, so it does nothing twice. If another process, or this one after a restart, gets
 * the client's next request, it runs the call again from its start with all earlier answers.
 */
export function createCallsInRounds(
  service: ToolService,
  sealer: StateSealer,
  followed: FollowedCalls,
): CallsInRounds {
  const held = new Map<string, { attempt: CallAttempt; round: number; timer: NodeJS.Timeout }>()

  function drop(callId: string): void {
    const found = held.get(callId)
    held.delete(callId)
    clearTimeout(found?.timer)
    found?.attempt.abort()
  }

  function hold({ callId, round }: CallState, attempt: CallAttempt): void {
    const timer = setTimeout(() => drop(callId), HOLD_MS).unref()
    held.set(callId, { attempt, round, timer })
    const [oldest] = held.keys()
    if (held.size > MAX_HELD && oldest !== undefined) drop(oldest)
  }

  function take({ callId, round }: CallState): CallAttempt | undefined {
    const found = held.get(callId)
    if (found?.round !== round) return undefined
    held.delete(callId)
    clearTimeout(found.timer)
    return found.attempt
  }

  function begin(before: CallState | undefined, callId: string, round: CallRound): CallAttempt {
    const count = (before?.round ?? 0) + 1
    const call = readCall(service, round.params, count === 1 ? callId : `${callId}.${count}`)
    return beginAttempt(service, call, {
      ...round,
      answers: getAnswers(before, round.inputResponses),
    })
  }

  return {
    serve: async (given) => {
      const { params, caller, capabilities } = given
      const before = await openState(sealer, given)
      const callId = before?.callId ?? randomUUID()
      const waiting = before && take(before)
      const attempt = waiting ?? begin(before, callId, given)
      const leave = attempt.join(given)
      if (waiting) attempt.answer(given.inputResponses)
      const end = await attempt.next().finally(leave)
      const { form, url } = getModes(capabilities)
      const toServed = (result: ToolResult): JsonObject =>
        toServedResult(result, {
          canAsk: form || url,
          protocolVersion: STATELESS_VERSION,
          ...toMcpOutputSchema(service, { name: String(params['name']) }),
        })
      if (end.kind === 'result') return toServed(end.result)
      if (end.kind === 'task') return followed.follow(attempt, caller, toServed)
      const round = (before?.round ?? 0) + 1
      if (round > MAX_INQUIRY_ROUNDS) {
        attempt.abort()
        const message = `The call still asks questions after ${MAX_INQUIRY_ROUNDS} rounds.`
        throw new RpcError(INVALID_PARAMS, message)
      }
      const asked = end.asked.map(({ key, question }) => ({ key, question }))
      const state = { callId, round, answers: attempt.used(), asked }
      hold(state, attempt)
      const requests = end.asked.map(({ key, method, params: about }) => [
        key,
        { method, params: about },
      ])
      return {
        resultType: 'input_required',
        inputRequests: Object.fromEntries(requests),
        requestState: sealer.seal(state, getOwner(params, caller)),
      }
    },
    close: () => {
      for (const callId of held.keys()) drop(callId)
    },
  }
}

async function openState(
  sealer: StateSealer,
  { params, requestState, caller }: CallRound,
): Promise<CallState | undefined> {
  if (requestState === undefined) return undefined
  const opened = await sealer.open(requestState, getOwner(params, caller))
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
  const given = before.asked.flatMap(({ key, question }) => {
    const response = getResponse(key, responses)
    return response ? [{ question, response }] : []
  })
  return [...before.answers, ...given]
}
