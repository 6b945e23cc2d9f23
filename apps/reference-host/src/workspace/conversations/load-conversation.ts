import type { ReadTurns } from './read-turns.ts'
import {
  type ConversationStore,
  type DamagedEvent,
  type History,
  type HistoryEntry,
  type StoredEvent,
  readEntries,
  readHistory,
} from '@toolblocks/conversation-store'
import { type LostEvent } from '@toolblocks/conversation-store/internal'

/** A conversation in order, with its damaged and lost events. */
interface LoadedConversation extends History {
  damaged: readonly (DamagedEvent | LostEvent)[]
}

/** Returns the entries of some turns. */
export function selectTurns(
  entries: readonly HistoryEntry[],
  { from, to }: ReadTurns = ALL,
): readonly HistoryEntry[] {
  return entries.filter(({ turn }) => turn >= from && turn <= to)
}

const ALL: ReadTurns = { from: 0, to: Infinity }

/** Reads a complete conversation in its effective order. */
export async function loadConversation(
  store: ConversationStore,
  id: string,
  { signal }: { signal: AbortSignal },
): Promise<LoadedConversation> {
  const events: StoredEvent[] = []
  const damaged: (DamagedEvent | LostEvent)[] = []
  for await (const kept of readEntries(store, id, { signal })) {
    if ('event' in kept) events.push(kept)
    else damaged.push(kept)
  }
  return { ...readHistory(events), damaged }
}
