import {
  type ConversationStore,
  type StoredEvent,
  getPersonText,
  readEntries,
} from '@toolblocks/conversation-store'
import {
  type ConversationStatistics,
  type KnownStatistics,
  type StatisticsData,
  createStatistics,
  getLine,
  openStatistics,
} from './conversation-statistics.ts'

/** The statistics of open conversations, which are updated incrementally. */
interface StatisticsCache {
  /** Returns the statistics of all events up to a number. */
  upTo(id: string, last: number): Promise<KnownStatistics>
  /** Returns the same, or what is known now if that would take long. The rest is then read in the background. */
  soon(
    id: string,
    last: number,
  ): Promise<{ statistics: KnownStatistics; extent: 'whole' | 'begun' }>
}

/** This number of events is read faster than a reader notices. */
const FEW = 5000

/** Maximum number of cached conversations. */
const MAX_COUNT = 20

/** Returns the statistics of all events of a conversation that does not grow. */
export type ReadStatistics = (id: string) => Promise<StatisticsData>

/** Creates the cache of statistics that are computed elsewhere. They are never waited for, unless all are asked for. */
export function createDistantStatistics(read: ReadStatistics): StatisticsCache {
  const kept = new Map<string, { reading: Promise<KnownStatistics>; known?: KnownStatistics }>()

  function open(id: string) {
    const entry = kept.get(id)
    if (entry) return entry
    const reading = read(id).then(openStatistics)
    const one: { reading: Promise<KnownStatistics>; known?: KnownStatistics } = { reading }
    kept.set(id, one)
    reading.then(
      (known) => (one.known = known),
      () => kept.delete(id),
    )
    return one
  }

  return {
    upTo: async (id) => await open(id).reading,
    soon: async (id) => {
      const { known } = open(id)
      return known
        ? { statistics: known, extent: 'whole' }
        : { statistics: createStatistics(), extent: 'begun' }
    },
  }
}

/** Milliseconds after which the events that an outline quotes are compared with the store again. */
const CHECK_MS = 1000

/** A conversation in the cache. */
interface CachedStatistics {
  statistics: ConversationStatistics
  seen: number
  reading: Promise<void>
  isReading: boolean
  /** The events whose words the outline quotes, and the last event, as they were read, by `seq`. */
  quoted: Map<number, string>
  last: string
  checkedAt: number
  /** How many quoted events were compared, of all checks. */
  compared: number
}

/** The number of quoted events that are compared at once: more would make a page wait. */
const MAX_COMPARED = 200

/** Returns the quoted events that are compared next: all in turn. */
function takeQuoted(one: CachedStatistics): readonly (readonly [seq: number, text: string])[] {
  const { size } = one.quoted
  if (size <= MAX_COMPARED) return [...one.quoted]
  const start = one.compared % size
  one.compared += MAX_COMPARED
  return [...one.quoted].slice(start, start + MAX_COMPARED)
}

/**
 * Creates the cache of statistics for a store. A conversation is read again from its beginning if it was deleted, also if another one has its id now, and if an event
 * that its outline quotes was scrubbed. This is noticed when the conversation is asked for a second later; with more than 200 quoted events, a scrub is noticed after several times.
 */
export function createStatisticsCache(
  store: ConversationStore,
  { now = () => performance.now() }: { now?: () => number } = {},
): StatisticsCache {
  const kept = new Map<string, CachedStatistics>()

  function open(id: string): CachedStatistics {
    const known = kept.get(id)
    if (known) return known
    const [oldest] = kept.keys()
    if (kept.size >= MAX_COUNT && oldest !== undefined) kept.delete(oldest)
    const begun = {
      statistics: createStatistics(),
      seen: 0,
      reading: Promise.resolve(),
      isReading: false,
      quoted: new Map<number, string>(),
      last: '',
      checkedAt: now(),
      compared: 0,
    }
    kept.set(id, begun)
    return begun
  }

  async function isAsRead(id: string, one: CachedStatistics): Promise<boolean> {
    if (one.seen === 0 || now() - one.checkedAt < CHECK_MS) return true
    one.checkedAt = now()
    for (const [seq, text] of [[one.seen, one.last] as const, ...takeQuoted(one)]) {
      const { events, damaged } = await store.read(id, { after: seq - 1, limit: 1 })
      const [event] = events
      // What is damaged cannot be compared.
      if (damaged.length === 0 && (event?.seq !== seq || describeEvent(event) !== text))
        return false
    }
    return true
  }

  async function openCurrent(id: string): Promise<CachedStatistics> {
    const one = open(id)
    await one.reading
    const isCurrent = await isAsRead(id, one).catch(() => true)
    if (!isCurrent && kept.get(id) === one) kept.delete(id)
    return open(id)
  }

  async function readUpTo(
    one: CachedStatistics,
    id: string,
    last: number,
  ): Promise<ConversationStatistics> {
    const before = one.reading
    const read = async (): Promise<void> => {
      await before
      if (one.seen >= last) return
      for await (const event of readEntries(store, id, { after: one.seen })) {
        if ('event' in event) {
          one.statistics.add(event)
          one.last = describeEvent(event)
          if (getPersonText(event.event) !== '') one.quoted.set(event.seq, one.last)
        }
        one.seen = event.seq
      }
    }
    // A failed read is retried with the next page.
    one.isReading = true
    const reading = read().catch(() => undefined)
    one.reading = reading
    await reading
    if (one.reading === reading) one.isReading = false
    return one.statistics
  }

  return {
    upTo: async (id, last) => await readUpTo(await openCurrent(id), id, last),
    soon: async (id, last) => {
      const known = kept.get(id)
      // A reading that takes long is not waited for.
      const one = known && !known.isReading ? await openCurrent(id) : open(id)
      const { statistics, seen } = one
      const reading = readUpTo(one, id, last)
      if (last - seen <= FEW) return { statistics: await reading, extent: 'whole' }
      return { statistics, extent: 'begun' }
    },
  }
}

/** Describes an event so that another one in its place, or a scrubbed one, is told from it. */
function describeEvent({ at, scrubbedAt, event }: StoredEvent): string {
  return `${at} ${scrubbedAt ?? ''} ${event.type} ${getLine(getPersonText(event))}`
}
