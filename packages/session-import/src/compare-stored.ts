import { type StoredEvent, createRewinds } from '@toolblocks/conversation-store'
import { type DatedImport, type ReadConversation } from './convert/read-conversation.ts'
import { createWayBack, isWayBack } from './convert/imported-event.ts'

/** What a store has of a conversation that was read. */
interface StoredPart {
  /** The stored events with the events that were read, in order, without the rewinds of imports. */
  pairs: readonly (readonly [stored: StoredEvent, read: DatedImport])[]
  /** The events to append. */
  rest: readonly DatedImport[]
}

/**
 * Compares a conversation in the store with one that was read: one must be the beginning of the other. Returns `undefined` for different ones. Rewinds
 * of imports are compared by their effect, because the program may have gone back and forth between two imports.
 */
export function compareStored(
  stored: readonly StoredEvent[],
  { events, format }: Pick<ReadConversation, 'events' | 'format'>,
): StoredPart | undefined {
  const isOwn = format === 'toolblocks' || format === 'toolblocks-sqlite'
  const pairs: (readonly [StoredEvent, DatedImport])[] = []
  /** The numbers in the store, by the numbers in what was read. */
  const seqs = new Map<number, number>([[0, 0]])
  let index = 0
  for (const one of stored) {
    if (isWayBack(one.event)) continue
    while (index < events.length && isWayBack(events[index]?.event)) index += 1
    const read = events[index]
    // The store may have more events than the source if an older copy of the source is imported.
    if (!read) return { pairs, rest: [] }
    if (!isSame(one, read, isOwn)) return undefined
    index += 1
    seqs.set(index, one.seq)
    pairs.push([one, read])
  }
  return { pairs, rest: placeRest(stored, { events, index, seqs }) }
}

/** Returns the events from an index on, with rewinds to the events that they follow in the store. */
function placeRest(
  stored: readonly StoredEvent[],
  {
    events,
    index,
    seqs,
  }: { events: readonly DatedImport[]; index: number; seqs: Map<number, number> },
): readonly DatedImport[] {
  const rest: DatedImport[] = []
  const [inStore, inSource] = [createRewinds(), createRewinds()]
  for (const one of stored) inStore.add(one)
  for (const [position, { event }] of events.slice(0, index).entries())
    inSource.add({ seq: position + 1, event })
  let last = inStore.last()
  let wanted = seqs.get(inSource.last()) ?? 0
  const goBack = (time: string): void => {
    if (last !== wanted) rest.push({ event: createWayBack(wanted), at: time })
    last = wanted
  }
  for (const [offset, each] of events.slice(index).entries()) {
    if (isWayBack(each.event)) {
      wanted = seqs.get(each.event.to) ?? 0
      continue
    }
    goBack(each.at)
    rest.push(each)
    last = stored.length + rest.length
    wanted = last
    seqs.set(index + offset + 1, last)
  }
  goBack(events.at(-1)?.at ?? '')
  return rest
}

function isSame(stored: StoredEvent, read: DatedImport, isOwn: boolean): boolean {
  // A scrubbed value is not restored.
  if (stored.scrubbedAt !== undefined) return true
  if (stored.original && read.original) return Buffer.from(stored.original).equals(read.original)
  if (stored.original !== read.original) return false
  // Later events of a record have no original. Events of a store are compared directly.
  return !isOwn || JSON.stringify(getValue(stored)) === JSON.stringify(read.event)
}

function getValue({ event }: StoredEvent): unknown {
  return event.type === 'unknown' ? event.value : event
}
