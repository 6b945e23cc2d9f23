import type { ConversationStore } from '@toolblocks/conversation-store'
import type { PendingOptions } from '@toolblocks/inquiry/pending'
import { getQuestionOptions } from '../../../workspace/questions/question-options.ts'
import type { JoinedCalls } from './client-sessions.ts'
import { createKeptCalls, type KeptCalls } from './kept-call.ts'
import { openParkedCalls, type ParkedCalls } from './parked-calls.ts'

/** The calls of one client, whose conversation may be recorded by several services. */
export interface KeptConversation {
  calls: KeptCalls
  /** How its calls wait in the store. Absent: nothing is stored. */
  stored?: { store: ConversationStore; pending: PendingOptions; parked: ParkedCalls }
  /** Gives the calls that wait to later hosts. */
  close(): Promise<void>
}

/** Keeps the calls of one client. `store`: that of its record. `join`: connects them with those of its other sessions. */
export function keepConversation(
  conversation: string,
  store: ConversationStore | undefined,
  join: (calls: KeptCalls) => JoinedCalls = (calls) => ({ calls, leave: () => undefined }),
): KeptConversation {
  const { calls, leave } = join(createKeptCalls())
  if (!store) return { calls, close: async () => leave() }
  const pending = getQuestionOptions(store)
  const parked = openParkedCalls({ store, conversation, pending })
  const close = async (): Promise<void> => {
    leave()
    await parked.close()
  }
  return { calls, stored: { store, pending, parked }, close }
}
