import {
  type ConversationStore,
  type DamagedEvent,
  type History,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { readAll } from './read-all.ts'
import type { Turns } from '../show/read-turns.ts'

/** A conversation put in order, and what of it is no event. */
export interface LoadedConversation extends History {
  damaged: readonly DamagedEvent[]
}

const ALL: Turns = { from: 0, to: Infinity }

/** Reads a whole conversation as it counts; only the entries of some turns, where they are given. */
export async function loadConversation(
  store: ConversationStore,
  id: string,
  { turns = ALL, signal }: { turns?: Turns | undefined; signal: AbortSignal },
): Promise<LoadedConversation> {
  const events: StoredEvent[] = []
  const damaged: DamagedEvent[] = []
  for await (const kept of readAll(store, id, signal)) {
    if ('event' in kept) events.push(kept)
    else damaged.push(kept)
  }
  const { entries, ...rest } = readHistory(events)
  const shown = entries.filter(({ turn }) => turn >= turns.from && turn <= turns.to)
  return { ...rest, entries: shown, damaged }
}
