import type { JsonObject } from '@toolblocks/protocol'

/** The call that an agent leads its conversation for. */
export interface Parent {
  conversationId: string
  callId: string
}

/** Says with the first event of a conversation for which call it is led. */
export function withParent(values: JsonObject, { conversationId, callId }: Parent): JsonObject {
  return { ...values, parent: { conversationId, callId } }
}
