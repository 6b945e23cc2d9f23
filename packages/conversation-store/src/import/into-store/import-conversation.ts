import { createHash } from 'node:crypto'
import type { ConversationStore } from '../../store/conversation-store.ts'
import { damagedEvent, StoreError } from '../../problems/store-error.ts'
import type { StoredEvent } from '../../events/conversation-event.ts'
import { type Counts, countEvents } from '../counts.ts'
import { importProblem, type ImportProblem } from '../import-problem.ts'
import type { DatedImport, ImportedRecord } from '../imported-event.ts'
import type { ReadConversation } from '../read-conversation.ts'
import { toDatedEvent } from './to-dated-event.ts'

/** What came of an import: `present`: all of it was there before; `extended`: the source had grown. */
export interface ImportedConversation {
  /** Its id in the store. */
  conversation: string
  state: 'imported' | 'extended' | 'present'
  /** Events that were added. */
  added: number
  /** Read back from the store. */
  after: Counts
  /** Bytes of the originals, read back from the store. */
  bytes: number
  /** Records that no store can keep, and of which only the bytes are kept. */
  problems: readonly ImportProblem[]
}

/** How many conversations of one id with different beginnings are looked through. */
const MOST = 100

/**
 * Brings a conversation into a store, in one append: all of it or nothing. What is there already is not written again, so a second
 * import adds nothing, and one that was killed is finished by the next. A conversation that is there under the same id but is another gets
 * an id of its own.
 */
export async function importConversation(
  store: ConversationStore,
  read: ReadConversation,
): Promise<ImportedConversation> {
  const problems: ImportProblem[] = []
  for (const id of idsOf(read)) {
    const kept = await readAll(store, id)
    if (!isSame(kept, read)) continue
    const rest = read.events.slice(kept.length)
    if (rest.length > 0) {
      for (const bytes of read.named ?? []) await store.keepBytes(bytes)
      const isDone = await appendRecords(store, read, { id, after: kept.length, problems })
      // Somebody else writes it at this moment: look at it again.
      if (!isDone) return await importConversation(store, read)
    }
    const all = rest.length > 0 ? await readAll(store, id) : kept
    // The store may have more of it: an older copy of the source was imported again.
    const own = all.slice(0, read.events.length)
    return {
      conversation: id,
      state: rest.length === 0 ? 'present' : kept.length === 0 ? 'imported' : 'extended',
      added: rest.length,
      after: countEvents(own.map(({ event }) => event)),
      bytes: own.reduce((sum, stored, index) => sum + lengthOf(stored, read.events[index]), 0),
      problems,
    }
  }
  const message = `There are more than ${MOST} conversations that begin alike under the id ${JSON.stringify(read.id)}; none was added.`
  throw new StoreError('failed', message)
}

/** Records of one conversation that a store refuses, such as JSON that is nested without end. */
const MOST_REFUSED = 20

/** Appends all or nothing; an event that the store refuses gives way to the bytes of its record. */
async function appendRecords(
  store: ConversationStore,
  { events: all, format }: ReadConversation,
  { id, after, problems }: { id: string; after: number; problems: ImportProblem[] },
): Promise<boolean> {
  const events = all.slice(after).map(toDatedEvent)
  for (;;) {
    try {
      return (await store.append(id, after, events)).ok
    } catch (error) {
      const place = error instanceof StoreError ? error.problem?.path.split('/')[1] : undefined
      const refused = events[Number(place)]
      if (!refused || problems.length === MOST_REFUSED) throw error
      const message = 'no store can keep what the record says; its bytes are kept'
      problems.push(importProblem(after + Number(place), 'unstorable-record', message))
      const event: ImportedRecord = { type: 'imported_record', format, record: {} }
      events[Number(place)] = toDatedEvent({ ...refused, event })
    }
  }
}

/** Where it may be: under its own id, or with a hash of its first records behind it, which stays as it grows. */
function* idsOf({ id, events }: ReadConversation): Generator<string> {
  yield id
  const hash = createHash('sha256')
  for (const { original, event } of events.slice(0, MOST)) {
    hash.update(original ?? JSON.stringify(event))
    yield `${id}-${hash.copy().digest('hex').slice(0, 8)}`
  }
}

/** Of the original; where something was scrubbed out of it, of the one that is read. */
function lengthOf(stored: StoredEvent, read: DatedImport | undefined): number {
  const { original } = stored.scrubbedAt === undefined ? stored : (read ?? stored)
  return original?.length ?? 0
}

async function readAll(store: ConversationStore, id: string): Promise<readonly StoredEvent[]> {
  const { events, damaged } = await store.read(id, { limit: Infinity })
  const first = damaged[0]
  if (first) throw damagedEvent(id, first.seq, first.problem.message)
  return events
}

/** Whether one of them is how the other begins. */
function isSame(kept: readonly StoredEvent[], { events, format }: ReadConversation): boolean {
  const isOwn = format === 'toolblocks' || format === 'toolblocks-sqlite'
  return kept.every((stored, index) => {
    const read = events[index]
    // What was scrubbed is not brought back.
    if (!read || stored.scrubbedAt !== undefined) return true
    if (stored.original && read.original) return Buffer.from(stored.original).equals(read.original)
    if (stored.original !== read.original) return false
    // Behind the first event of a record there is no original; events of a store are compared as they are.
    return !isOwn || JSON.stringify(valueOf(stored)) === JSON.stringify(read.event)
  })
}

function valueOf({ event }: StoredEvent): unknown {
  return event.type === 'unknown' ? event.value : event
}
