import type { StoredEvent } from '@toolblocks/conversation-store'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** The call that an agent leads its conversation for. */
export interface Parent {
  conversationId: string
  callId: string
}

/** Says with the first event of a conversation for which call it is led. */
export function withParent(values: JsonObject, { conversationId, callId }: Parent): JsonObject {
  return { ...values, parent: { conversationId, callId } }
}

/** Whether a conversation that begins so is led by an agent, for a call of another one. */
export function isOfAgent(first: StoredEvent['event'] | undefined): boolean {
  return first?.type === 'configuration' && isJsonObject(first.values['parent'])
}
