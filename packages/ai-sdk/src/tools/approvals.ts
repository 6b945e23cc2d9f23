import type { QuestionStorage } from '@toolblocks/inquiry/pending'
import { type JsonValue, type ToolCall, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import type { ModelMessage } from 'ai'

/** Keeps which approvals were asked for. `documents` of a store of `@toolblocks/conversation-store` implements it. */
export type ApprovalStorage = Pick<QuestionStorage, 'read' | 'write'>

/** The approvals and answers that a server has asked for. Each can be used once, for exactly the call that was asked about. */
export interface Approvals {
  /** Records that a person is asked about a call. */
  ask(call: ToolCall): Promise<void>
  /** Uses the approval of a call. Returns why it does not count; `undefined` if it counts. */
  use(call: ToolCall): Promise<string | undefined>
  /** Ends the approval of a call that did not run, so that a later decision does not count. Resolves to whether the call is known not to have run. */
  withdraw(callId: string): Promise<boolean>
  /** Uses the answer to a question: the call that waits for it continues, or is made again. Resolves to `false` if it was used before. */
  useAnswer(questionId: string): Promise<boolean>
}

/** The collection of the documents. */
const COLLECTION = 'ai-sdk-approval'

/** `withdrawn`: the conversation continued before the call ran. */
type ApprovalState = 'asked' | 'used' | 'withdrawn'

/** Creates the approvals of one conversation. */
export function createApprovals(storage: ApprovalStorage, conversation: string): Approvals {
  const write = async (
    id: string,
    version: number,
    state: ApprovalState,
    value: JsonValue,
  ): Promise<boolean> => {
    const document = { collection: COLLECTION, id, version, state, conversation, value }
    return (await storage.write(document)).ok
  }
  return {
    ask: async (call) => {
      const id = await toId([conversation, call.id])
      for (;;) {
        const before = await storage.read(COLLECTION, id)
        if (await write(id, before?.version ?? 0, 'asked', toValue(call, 'asked'))) return
      }
    },
    use: async (call) => {
      const id = await toId([conversation, call.id])
      const asked = await storage.read(COLLECTION, id)
      if (!asked) return NOT_ASKED
      const state = getState(asked.value)
      if (state === 'used') return USED
      if (state === 'withdrawn') return WITHDRAWN
      const value = toValue(call, 'asked')
      if (toCanonical(asked.value) !== toCanonical(value)) return CHANGED
      return (await write(id, asked.version, 'used', toValue(call, 'used'))) ? undefined : USED
    },
    withdraw: async (callId) => {
      const id = await toId([conversation, callId])
      for (;;) {
        const asked = await storage.read(COLLECTION, id)
        const state = asked && getState(asked.value)
        if (!asked || state !== 'asked') return state === 'withdrawn'
        if (await write(id, asked.version, 'withdrawn', { state: 'withdrawn' })) return true
      }
    },
    useAnswer: async (questionId) =>
      await write(await toId([conversation, 'answer', questionId]), 0, 'used', { state: 'used' }),
  }
}

const NOT_ASKED = 'this server did not ask a person about this call'
const USED = 'the approval of this call was used before'
const WITHDRAWN = 'the conversation continued before this decision'
const CHANGED = 'the call is not the one that a person was asked about'

function getState(value: JsonValue): unknown {
  return isJsonObject(value) ? getOwnField(value, 'state') : undefined
}

function toValue({ id, name, arguments: input }: ToolCall, state: 'asked' | 'used'): JsonValue {
  return JSON.parse(JSON.stringify({ state, id, name, input }))
}

/** Returns a text that is the same for the same call: its id, its name and its arguments. */
export function getCallKey({ id, name, arguments: input }: ToolCall): string {
  return toCanonical([id, name, input])
}

/** Returns JSON that is equal for equal values: a page may send the fields of an object in another order. */
function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner)
      ? { fields: Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)) }
      : inner,
  )
}

async function toId(parts: readonly string[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether a call runs because the messages contain an approval of it, and not because a model has just made it. */
export function isApprovedInMessages(messages: readonly ModelMessage[], callId: string): boolean {
  const last = messages.at(-1)
  if (last?.role !== 'tool') return false
  const responses = new Set(
    last.content.flatMap((part) =>
      part.type === 'tool-approval-response' ? [part.approvalId] : [],
    ),
  )
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some(
        (part) =>
          part.type === 'tool-approval-request' &&
          part.toolCallId === callId &&
          responses.has(part.approvalId),
      ),
  )
}
