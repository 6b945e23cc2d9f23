import { randomUUID } from 'node:crypto'
import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { MAX_INQUIRY_ROUNDS, MAX_SERVED_CALLS } from '@toolblocks/protocol/internal'
import { INVALID_PARAMS, RpcError } from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { type CallAttempt, type CallRequest, beginAttempt, getResponse } from './call-attempt.ts'
import { getModes } from './elicitation.ts'
import type { CallState, SealedAnswer, StateOwner, StateSealer } from './sealed-state.ts'
import { identifyClient } from './served-features.ts'
import { getServedForm, readCall, toServedResult } from './serve-call.ts'
import type { FollowedCalls } from './tasks-extension.ts'
import type { ClientService } from './tool-service.ts'

/** One round of a call: the request, and its client. */
interface CallRound extends CallRequest {
  params: JsonObject
  inputResponses: JsonObject
  requestState: string | undefined
  /** Opens what the client is served during the call. */
  open(): Promise<ClientService>
  /** Passes log messages on until the returned function is called, if the client asks for them. */
  watchLog(service: ClientService): Promise<() => void>
}

/** A running call, and what its client is served until it ends. */
interface BegunCall {
  attempt: CallAttempt
  service: ClientService
}

/** A call in one of its rounds. `unwatch`: ends the log messages of the round. */
interface CallInRound extends BegunCall {
  unwatch(): void
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
export function createCallsInRounds(sealer: StateSealer, followed: FollowedCalls): CallsInRounds {
  const held = new Map<string, BegunCall & { round: number; timer: NodeJS.Timeout }>()

  function drop(callId: string): void {
    const heldCall = held.get(callId)
    held.delete(callId)
    clearTimeout(heldCall?.timer)
    heldCall?.attempt.abort()
  }

  function hold({ callId, round }: CallState, begun: BegunCall): void {
    const timer = setTimeout(() => drop(callId), HOLD_MS).unref()
    held.set(callId, { ...begun, round, timer })
    const [oldest] = held.keys()
    if (held.size > MAX_HELD && oldest !== undefined) drop(oldest)
  }

  function take({ callId, round }: CallState): BegunCall | undefined {
    const heldCall = held.get(callId)
    if (heldCall?.round !== round) return undefined
    held.delete(callId)
    clearTimeout(heldCall.timer)
    return heldCall
  }

  return {
    serve: async (request) => {
      const { params, client } = request
      const before = await openState(sealer, request)
      const callId = before?.callId ?? randomUUID()
      const waiting = before && take(before)
      const { attempt, service, unwatch } = waiting
        ? { ...waiting, unwatch: await request.watchLog(waiting.service) }
        : await begin(before, callId, request)
      const leave = attempt.join(request)
      if (waiting) attempt.answer(request.inputResponses)
      const end = await attempt.next().finally(() => {
        leave()
        unwatch()
      })
      const { form, url } = getModes(client.capabilities)
      const toServed = (result: ToolResult): JsonObject =>
        toServedResult(result, {
          canAsk: form || url,
          protocolVersion: STATELESS_VERSION,
          ...getServedForm(service, { name: String(params['name']) }, client),
        })
      if (end.kind === 'result') return toServed(end.result)
      if (end.kind === 'task')
        return await followed.follow(attempt, identifyClient(client), toServed)
      const round = (before?.round ?? 0) + 1
      if (round > MAX_INQUIRY_ROUNDS) {
        attempt.abort()
        const message = `The call still asks questions after ${MAX_INQUIRY_ROUNDS} rounds.`
        throw new RpcError(INVALID_PARAMS, message)
      }
      const asked = end.asked.map(({ key, question }) => ({ key, question }))
      const state = { callId, round, answers: attempt.used(), asked }
      hold(state, { attempt, service })
      const requests = end.asked.map(({ key, method, params: about }) => [
        key,
        { method, params: about },
      ])
      return {
        resultType: 'input_required',
        inputRequests: Object.fromEntries(requests),
        requestState: sealer.seal(state, getOwner(params, identifyClient(client))),
      }
    },
    close: () => {
      for (const callId of held.keys()) drop(callId)
    },
  }
}

/** Starts a call, with all earlier answers, at what its client is served. */
async function begin(
  before: CallState | undefined,
  callId: string,
  round: CallRound,
): Promise<CallInRound> {
  const service = await round.open()
  const close = async (): Promise<void> => await service.close().catch(() => undefined)
  let unwatch: CallInRound['unwatch'] | undefined
  try {
    unwatch = await round.watchLog(service)
    const count = (before?.round ?? 0) + 1
    const call = await readCall(service, round.params, count === 1 ? callId : `${callId}.${count}`)
    const answers = getAnswers(before, round.inputResponses)
    const attempt = beginAttempt(service, call, { ...round, answers })
    void attempt.result.then(close, close)
    return { attempt, service, unwatch }
  } catch (error) {
    unwatch?.()
    await close()
    throw error
  }
}

async function openState(
  sealer: StateSealer,
  { params, requestState, client }: CallRound,
): Promise<CallState | undefined> {
  if (requestState === undefined) return undefined
  const opened = await sealer.open(requestState, getOwner(params, identifyClient(client)))
  if (!opened.ok) throw new RpcError(INVALID_PARAMS, opened.message)
  return opened.state
}

function getOwner({ name, arguments: values }: JsonObject, caller: string): StateOwner {
  return {
    operation: 'tools/call',
    name: String(name),
    arguments: isJsonObject(values) ? values : {},
    caller,
  }
}

/** The answers of earlier rounds and of this one. A question that this round does not answer is asked again. */
function getAnswers(before: CallState | undefined, responses: JsonObject): readonly SealedAnswer[] {
  if (!before) return []
  const newAnswers = before.asked.flatMap(({ key, question }) => {
    const response = getResponse(key, responses)
    return response ? [{ question, response }] : []
  })
  return [...before.answers, ...newAnswers]
}
