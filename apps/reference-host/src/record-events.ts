import type { ConversationEvent, ConversationStore } from '@toolblocks/conversation-store'

/** Appends events to one conversation, in the order of the calls. */
export type RecordEvents = (...events: readonly ConversationEvent[]) => Promise<void>

/** Makes the one writer of a new conversation: whoever records waits for who came before. */
export function createRecorder(store: ConversationStore, conversation: string): RecordEvents {
  let last: Promise<number> = Promise.resolve(0)
  return async (...events) => {
    last = last.then(async (seq) => {
      const appended = await store.append(conversation, seq, events)
      if (appended.ok) return appended.seq
      throw new Error(`Another process wrote to the conversation "${conversation}".`)
    })
    await last
  }
}
