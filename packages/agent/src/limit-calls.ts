import type { ModelResponse, ModelCall } from '@toolblocks/formatter'
import { createFailure, type JsonObject, type ToolResult } from '@toolblocks/protocol'
import {
  findNonJson,
  MAX_CALL_BYTES,
  MAX_CALL_NAME_BYTES,
  MAX_CALLS_PER_MESSAGE,
  MAX_KEPT_CALLS_PER_MESSAGE,
  takeCodeUnits,
} from '@toolblocks/protocol/internal'
import type { ModelMessageEvent } from './model.ts'

/** A message whose calls are within the limits. */
export interface LimitedMessage {
  /** The message as it is stored and sent back to the model. */
  message: ModelResponse
  /** Results of calls that do not run, by the index of the call. */
  refused: ReadonlyMap<number, ToolResult>
  /** The number of calls that were removed from the message. */
  leftOut: number
}

/**
 * Limits the calls of a message. A call that may be incomplete, because the message was truncated, and a call over the limit do not run. Each gets
 * a result that says why, because providers require one result for each call. If there are too many calls for that, the rest are removed, and the
 * last result says how many.
 */
export function limitCalls(
  response: ModelResponse,
  cut?: ModelMessageEvent['cut'],
): LimitedMessage {
  const { calls } = response
  const refused = new Map<number, ToolResult>()
  const kept = calls.slice(0, MAX_KEPT_CALLS_PER_MESSAGE).map((call, index) => {
    const isLast = index === calls.length - 1
    const { call: bounded, reason = explainCut(cut, isLast) ?? tooMany(index) } = limitCall(
      call,
      index,
    )
    if (reason !== undefined)
      refused.set(index, { ...createFailure(`${reason} The call was not run.`), id: bounded.id })
    return bounded
  })
  const leftOut = calls.length - kept.length
  if (leftOut === 0) return { message: { ...response, calls: kept }, refused, leftOut }
  const last = kept.length - 1
  const text = `A message may have ${MAX_CALLS_PER_MESSAGE} calls, and this one had ${calls.length}. This call was not run, and ${leftOut} more calls were removed from the message.`
  refused.set(last, { ...createFailure(text), ...getId(kept[last]) })
  const { _meta: meta, ...message } = response
  const isKept = meta !== undefined && isSmall(meta)
  return { message: { ...message, calls: kept, ...(isKept && { _meta: meta }) }, refused, leftOut }
}

/** The provider reports that a message was truncated, but not where. The last call may look complete, for example a call without arguments. */
function explainCut(cut: ModelMessageEvent['cut'], isLast: boolean): string | undefined {
  switch (cut) {
    case undefined:
      return undefined
    case 'tokens':
      return isLast
        ? 'Your message was truncated at its token limit, so the arguments of its last call may be incomplete. Write a shorter message and make this call again.'
        : undefined
    case 'filter':
      return 'Your message was truncated by a filter of the provider, so its calls do not run.'
  }
}

function tooMany(index: number): string | undefined {
  return index < MAX_CALLS_PER_MESSAGE
    ? undefined
    : `A message may have ${MAX_CALLS_PER_MESSAGE} calls.`
}

/** A call that can be stored and sent back, and the reason if it differs from the model's call. */
function limitCall(modelCall: ModelCall, index: number): { call: ModelCall; reason?: string } {
  const { id, name, _meta: meta } = modelCall
  const odd = findNonJson(modelCall.arguments)
  const bytes = odd ? 0 : countBytes(modelCall.arguments)
  const hasOddMeta = meta !== undefined && !isSmall(meta)
  const longest = Math.max(Buffer.byteLength(id), Buffer.byteLength(name))
  const reasons = [
    odd ? `The arguments cannot be stored: ${odd.message}.` : '',
    bytes > MAX_CALL_BYTES
      ? `The arguments of a call may have ${inWords(MAX_CALL_BYTES)}, and these had ${inWords(bytes)}.`
      : '',
    hasOddMeta
      ? `The provider data of a call may have ${inWords(MAX_CALL_BYTES)}, and this call had more.`
      : '',
    longest > MAX_CALL_NAME_BYTES
      ? `The name and the id of a call may have ${inWords(MAX_CALL_NAME_BYTES)}, and one of these had ${inWords(longest)}.`
      : '',
  ].filter((reason) => reason !== '')
  if (reasons.length === 0) return { call: modelCall }
  const call: ModelCall = {
    id: Buffer.byteLength(id) > MAX_CALL_NAME_BYTES ? `${takeCodeUnits(id, 32)}-${index}` : id,
    name: Buffer.byteLength(name) > MAX_CALL_NAME_BYTES ? takeCodeUnits(name, 64) : name,
    arguments: bytes > MAX_CALL_BYTES || odd ? {} : modelCall.arguments,
    ...(meta && !hasOddMeta && { _meta: meta }),
  }
  return { call, reason: reasons.join(' ') }
}

function getId(call: ModelCall | undefined): { id?: string } {
  return call ? { id: call.id } : {}
}

function isSmall(value: JsonObject): boolean {
  return findNonJson(value) === undefined && countBytes(value) <= MAX_CALL_BYTES
}

function countBytes(value: string | JsonObject): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}

function inWords(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`
}
