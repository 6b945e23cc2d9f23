import type { ConversationEvent } from '../events/conversation-event.ts'
import type { ConversationStore } from '../store/conversation-store.ts'
import type { DocumentWriteResult } from '../store/documents.ts'

/** The path of the recorded store in its folder. Its own folder does not exist at first. */
export const STORE_PATH = 'new/c.db'

/** Number of bytes of the header of SQLite's index file `-shm`. */
export const INDEX_BYTES = 136

/** Returns the events of one append. Every seventh event is so long that its text is stored apart. */
export function getBatch(batch: number): ConversationEvent[] {
  const first = countEvents(batch)
  return Array.from({ length: countEvents(batch + 1) - first }, (_, index) =>
    getEvent(first + index),
  )
}

/** Returns the number of events in the first appends. */
export function countEvents(batches: number): number {
  return batches + Math.floor(batches / 3) * 2
}

function getEvent(number: number): ConversationEvent {
  if (number % 7 !== 3) return { type: 'turn_start', turn: number }
  const text = Array.from({ length: 1500 }, (_, index) => `event ${number * index}`).join(' ')
  return { type: 'user_message', content: [{ type: 'text', text }] }
}

/** Writes a document that counts the appends: its version after so many. */
export async function countBatch(
  { documents }: ConversationStore,
  batch: number,
): Promise<DocumentWriteResult> {
  const count = { collection: 'count', id: 'batches', state: 'open' }
  return await documents.write({ ...count, version: batch, value: 'x'.repeat(batch * 100) })
}
