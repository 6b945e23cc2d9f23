import type { ToolResult } from '@toolblocks/protocol'
import type { ConversationStore } from '../store/conversation-store.ts'

/** The last result of a call id in a conversation; pages are read from the end. */
export async function findResult(
  store: ConversationStore,
  conversation: string,
  callId: string,
): Promise<ToolResult | undefined> {
  let before = Infinity
  for (;;) {
    const { events, damaged, more } = await store.read(conversation, { before })
    for (const { event } of events.toReversed())
      if (event.type === 'tool_result' && event.result.id === callId) return event.result
    const first = Math.min(events[0]?.seq ?? Infinity, damaged[0]?.seq ?? Infinity)
    if (!more || first >= before) return undefined
    before = first
  }
}
