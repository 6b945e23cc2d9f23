import type { Turns } from './read-turns.ts'
import {
  type ConversationStore,
  type DamagedEvent,
  type History,
  type HistoryEntry,
  type StoredEvent,
  readHistory,
} from '@toolblocks/conversation-store'
import { type StoredEntry, type LostEvent, readAll } from '@toolblocks/viewer/reading'
import { Buffer } from 'node:buffer'

/** A conversation in order, with its damaged and lost events. */
interface LoadedConversation extends History {
  damaged: readonly (DamagedEvent | LostEvent)[]
}

/** Returns the entries of some turns. */
export function selectTurns(
  entries: readonly HistoryEntry[],
  { from, to }: Turns = ALL,
): readonly HistoryEntry[] {
  return entries.filter(({ turn }) => turn >= from && turn <= to)
}

const ALL: Turns = { from: 0, to: Infinity }

/** Reads a complete conversation in its effective order. */
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

/** Returns an entry as JSON. Bytes become base64. */
export function entryToJson(kept: StoredEntry): Readonly<Record<string, unknown>> {
  if ('problem' in kept)
    return 'bytes' in kept ? { ...kept, bytes: toBase64(kept.bytes) } : { ...kept }
  const { original, ...rest } = kept
  return original ? { ...rest, original: toBase64(original) } : rest
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
