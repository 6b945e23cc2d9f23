import {
  type ConversationStore,
  type DamagedEvent,
  type History,
  type HistoryEntry,
  type StoredEvent,
  readHistory,
} from '@toolblocks/conversation-store'
import { type Kept, type LostEvent, readAll } from '@toolblocks/viewer/reading'
import { InvalidArgumentError } from 'commander'
import { Buffer } from 'node:buffer'

/** A conversation put in order, and what of it is no event or is lost. */
interface LoadedConversation extends History {
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

/** What JSON can carry of it: bytes are base64. */
export function keptToJson(kept: Kept): Readonly<Record<string, unknown>> {
  if ('problem' in kept)
    return 'bytes' in kept ? { ...kept, bytes: toBase64(kept.bytes) } : { ...kept }
  const { original, ...rest } = kept
  return original ? { ...rest, original: toBase64(original) } : rest
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Which turns are shown; both are counted from 1. */
export interface Turns {
  from: number
  /** Inclusive. */
  to: number
}

/** Reads `3`, `2-4`, `2-` or `-4`. */
export function readTurns(value: string): Turns {
  const [, one, first, last] = /^(?:(\d{1,9})|(\d{1,9})?-(\d{1,9})?)$/.exec(value) ?? []
  const from = Number(one ?? first ?? 1)
  const to = Number(one ?? last ?? Infinity)
  if (value === '-' || (one ?? first ?? last) === undefined || from < 1 || to < from)
    throw new InvalidArgumentError('expected turns such as 3, 2-4, 2- or -4, counted from 1.')
  return { from, to }
}
