import {
  type ConversationStore,
  type DamagedEvent,
  type History,
  type HistoryEntry,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { type LostEvent, readAll } from '@toolblocks/viewer/reading'
import type { Turns } from '../show/read-turns.ts'

/** A conversation put in order, and what of it is no event or is lost. */
export interface LoadedConversation extends History {
  damaged: readonly (DamagedEvent | LostEvent)[]
}

/** The entries of some turns. */
export function ofTurns(
  entries: readonly HistoryEntry[],
  { from, to }: Turns = ALL,
): readonly HistoryEntry[] {
  return entries.filter(({ turn }) => turn >= from && turn <= to)
}

const ALL: Turns = { from: 0, to: Infinity }

/** Reads a whole conversation as it counts. */
export async function loadConversation(
  store: ConversationStore,
  id: string,
  { signal }: { signal: AbortSignal },
): Promise<LoadedConversation> {
  const events: StoredEvent[] = []
  const damaged: (DamagedEvent | LostEvent)[] = []
  for await (const kept of readAll(store, id, signal)) {
    if ('event' in kept) events.push(kept)
    else damaged.push(kept)
  }
  return { ...readHistory(events), damaged }
}
