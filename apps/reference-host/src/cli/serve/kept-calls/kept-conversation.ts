import type { ConversationStore } from '@toolblocks/conversation-store'
import type { PendingOptions } from '@toolblocks/inquiry/pending'
import { getQuestionOptions } from '../../../workspace/questions/question-options.ts'
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

/** Keeps the calls of one client. `store`: that of its record. */
export function keepConversation(
  conversation: string,
  store: ConversationStore | undefined,
): KeptConversation {
  const calls = createKeptCalls()
  if (!store) return { calls, close: async () => undefined }
  const pending = getQuestionOptions(store)
  const parked = openParkedCalls({ store, conversation, pending })
  return { calls, stored: { store, pending, parked }, close: parked.close }
}
