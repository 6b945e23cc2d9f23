import type { ConversationStore } from '../store/conversation-store.ts'

/** Returns the numbers of all turns of a conversation, in their order. Reads a page at a time. */
export async function readTurns(
  store: ConversationStore,
  conversation: string,
): Promise<readonly number[]> {
  const turns: number[] = []
  for (;;) {
    const { events, damaged, more } = await store.read(conversation, { after: turns.length })
    if (damaged[0]) throw new Error(`event ${damaged[0].seq} is half an event`)
    for (const { event } of events) turns.push(event.type === 'turn_start' ? event.turn : -1)
    if (!more) return turns
  }
}
