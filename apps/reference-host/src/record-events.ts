import type { ConversationEvent, ConversationStore } from '@toolblocks/conversation-store'

/** Appends events to one conversation, in the order of the calls. */
export type RecordEvents = (...events: readonly ConversationEvent[]) => Promise<void>

const MOST_TRIES = 16

/**
 * Makes a writer of one conversation: whoever records waits for who came before. Where another process wrote meanwhile, the events follow its
 * own. An append that fails rejects, and later ones are tried all the same.
 */
export function createRecorder(store: ConversationStore, conversation: string): RecordEvents {
  let end = 0
  let last: Promise<unknown> = Promise.resolve()

  async function append(events: readonly ConversationEvent[]): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { ok, seq } = await store.append(conversation, end, events)
      end = seq
      if (ok) return
    }
    throw new Error(`Other processes wrote to the conversation "${conversation}" all the time.`)
  }

  return async (...events) => {
    const turn = last.then(() => append(events))
    last = turn.catch(() => undefined)
    await turn
  }
}
