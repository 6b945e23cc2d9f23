import { setImmediate } from 'node:timers/promises'
import {
  type ConversationStore,
  type ConversationSummary,
  StoreError,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { createQueue } from '@toolblocks/protocol/internal'
import { createCallList, type CallList } from './call-list.ts'
import { findToolUser, type ToolUser } from './find-user.ts'
import { sumUse, type UseSummary } from './sum-use.ts'

/** Counts the use of tools in a store. What was read is kept, and only what is new is read again. */
export interface UseReader {
  /** Counts the calls since a time, in milliseconds since 1970. */
  read(since: number): Promise<UseSummary>
}

/** Limits of a `UseReader`. */
export interface UseLimits {
  /** Maximum number of events that are read at once. Default: 30,000. */
  maxEvents?: number
  /** Maximum number of calls that are counted. Default: 100,000. */
  maxCalls?: number
  /** Milliseconds since 1970. Default: the clock of this machine. */
  now?: () => number
}

/** The number of events that are read between other work of the thread. */
const PAGE = 500
/** The number of conversations that are listed at once. */
const LISTED = 200
/** As many events as a conversation counts at least: it takes time to find out whose it is. */
const MIN_COST = 5
/** Milliseconds after which a conversation is read again from its beginning: something in it may have been scrubbed. */
const KEPT_MS = 10 * 60_000

/** What is known of a conversation. */
interface CountedConversation {
  user: ToolUser
  list: CallList
  /** The time since which all its events are known, in milliseconds since 1970. */
  from: number
  /** Whether there were too many events to read those since then. */
  isCut: boolean
  /** Whether some of its events cannot be read. */
  isDamaged: boolean
  /** The last event that is known. */
  last: { seq: number; at: string }
  /** The summary of the conversation when it was read. */
  summary: string
  readAt: number
}

/** Creates the reader of a store. The conversations that were changed last are read first, and limits are named in what it returns. */
export function createUseReader(
  store: Pick<ConversationStore, 'list' | 'read'>,
  { maxEvents = 30_000, maxCalls = 100_000, now = Date.now }: UseLimits = {},
): UseReader {
  const known = new Map<string, CountedConversation>()
  const inTurn = createQueue()

  async function read(since: number): Promise<UseSummary> {
    const counted: { id: string; user: ToolUser; calls: ReturnType<CallList['calls']> }[] = []
    let room = maxEvents
    let calls = 0
    let damaged = 0
    let uncounted: UseSummary['uncounted']
    for await (const summary of listSince(store, since)) {
      if (calls >= maxCalls) {
        uncounted = 'many'
        break
      }
      let one = await findCurrent(summary, since)
      if (!one) {
        if (room <= 0) {
          uncounted = 'unread'
          break
        }
        const { conversation, cost } = await readConversation(summary, since, room)
        room -= cost
        if (!conversation) {
          damaged += 1
          continue
        }
        one = conversation
      }
      // The newest one is the last one that is forgotten.
      known.delete(summary.id)
      known.set(summary.id, one)
      if (one.isCut) uncounted = 'unread'
      if (one.isDamaged) damaged += 1
      const { user, list } = one
      calls += list.calls().length
      counted.push({ id: summary.id, user, calls: list.calls() })
    }
    forget(new Set(counted.map(({ id }) => id)), calls)
    return { ...sumUse(counted, since), damaged, ...(uncounted && { uncounted }) }
  }

  /** Returns what is known of a conversation that has not changed. */
  async function findCurrent(
    summary: ConversationSummary,
    since: number,
  ): Promise<CountedConversation | undefined> {
    const one = known.get(summary.id)
    if (!one || now() - one.readAt >= KEPT_MS) return undefined
    if (since < one.from && !one.isCut) return undefined
    return one.summary === JSON.stringify(summary) ? one : undefined
  }

  /** Reads a conversation, or only what is new in it. `undefined`: none of it can be read. */
  async function readConversation(
    summary: ConversationSummary,
    since: number,
    room: number,
  ): Promise<{ conversation?: CountedConversation; cost: number }> {
    const { id } = summary
    let cost = MIN_COST
    try {
      const before = known.get(id)
      const isNear = before && now() - before.readAt < KEPT_MS && since >= before.from
      const added = isNear ? await readOn(id, before, room) : undefined
      if (before && added) {
        const { last, cost: more } = added
        const conversation = { ...before, last, summary: JSON.stringify(summary) }
        return { conversation, cost: cost + more }
      }
      const user = await findToolUser(store, id)
      const { events, ...rest } = await readBack(id, since, room)
      cost += events.length
      const list = createCallList()
      for (const event of events) list.add(event)
      const { seq = 0, at = '' } = events.at(-1) ?? {}
      const conversation = { user, list, ...rest, last: { seq, at }, readAt: now() }
      return { conversation: { ...conversation, summary: JSON.stringify(summary) }, cost }
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'damaged') throw error
      return { cost }
    }
  }

  /** Adds what is new. `undefined`: the conversation has to be read again, because another one has its id now, or it has too many new events. */
  async function readOn(
    id: string,
    { list, last }: CountedConversation,
    room: number,
  ): Promise<(Pick<CountedConversation, 'last'> & { cost: number }) | undefined> {
    if (last.seq === 0) return undefined
    const { events: same } = await store.read(id, { after: last.seq - 1, limit: 1 })
    if (same[0]?.at !== last.at) return undefined
    const added: StoredEvent[] = []
    let after = last.seq
    for (;;) {
      const { events, damaged, more } = await store.read(id, { after, limit: PAGE })
      if (damaged.length > 0) return undefined
      added.push(...events)
      after = events.at(-1)?.seq ?? after
      if (!more) break
      if (added.length >= room) return undefined
      await setImmediate()
    }
    for (const event of added) list.add(event)
    const { seq, at } = added.at(-1) ?? last
    return { last: { seq, at }, cost: added.length }
  }

  /** Reads the events since a time, from the last one back. */
  async function readBack(
    id: string,
    since: number,
    room: number,
  ): Promise<
    { events: readonly StoredEvent[] } & Pick<CountedConversation, 'from' | 'isCut' | 'isDamaged'>
  > {
    const pages: (readonly StoredEvent[])[] = []
    let count = 0
    let before = Infinity
    let isDamaged = false
    for (;;) {
      const page = await store.read(id, { before, limit: PAGE }).catch((error: unknown) => {
        if (count === 0 || !(error instanceof StoreError) || error.code !== 'damaged') throw error
        return undefined
      })
      isDamaged ||= page === undefined || page.damaged.length > 0
      const events = (page?.events ?? []).map(toStep)
      pages.push(events)
      count += events.length
      const first = Math.min(
        ...[...(page?.events ?? []), ...(page?.damaged ?? [])].map(({ seq }) => seq),
      )
      const isEarlier = events.some(({ at }) => Date.parse(at) < since)
      const isWhole = !page || !page.more || !Number.isFinite(first)
      const isCut = !isWhole && !isEarlier && count >= room
      if (isWhole || isEarlier || isCut)
        return {
          events: pages.toReversed().flat(),
          from: isWhole ? -Infinity : since,
          isCut,
          isDamaged,
        }
      before = first
      await setImmediate()
    }
  }

  /** Forgets the conversations that were counted least recently, above the limit of calls. */
  function forget(counted: ReadonlySet<string>, calls: number): void {
    let all = calls
    for (const [id, { list }] of [...known].toReversed()) {
      if (counted.has(id)) continue
      all += list.calls().length + MIN_COST
      if (all > maxCalls) known.delete(id)
    }
  }

  return { read: async (since) => await inTurn(async () => await read(since)) }
}

/** Keeps of an event only what is counted, so that its content is not in memory. */
function toStep({ seq, at, event }: StoredEvent): StoredEvent {
  switch (event.type) {
    case 'tool_call': {
      const { id, name } = event.call
      return { seq, at, event: { type: 'tool_call', call: { id, name, arguments: {} } } }
    }
    case 'tool_result': {
      const { id, isError, metadata } = event.result
      const outcome = metadata?.outcome
      const kept = { ...(outcome && { metadata: { outcome } }), ...(id !== undefined && { id }) }
      return { seq, at, event: { type: 'tool_result', result: { content: [], isError, ...kept } } }
    }
    case 'question':
    case 'answer':
    case 'approval':
    case 'turn_start':
      return { seq, at, event }
    case 'user_message':
    case 'assistant_message':
    case 'delivery':
    case 'configuration':
    case 'compaction':
    case 'rewind':
    case 'unknown':
      return { seq, at, event: NOTHING }
  }
}

const NOTHING: StoredEvent['event'] = { type: 'unknown', value: null }

/** Yields the conversations that were changed since a time, the most recently written first. */
async function* listSince(
  store: Pick<ConversationStore, 'list'>,
  since: number,
): AsyncGenerator<ConversationSummary> {
  let cursor: string | undefined
  do {
    const page = await store.list({ limit: LISTED, ...(cursor !== undefined && { cursor }) })
    const recent = page.conversations.filter(({ updatedAt }) => Date.parse(updatedAt) >= since)
    yield* recent
    // Among conversations of the same time, a clock that was set back changes only some.
    if (recent.length === 0) return
    cursor = page.next
  } while (cursor !== undefined)
}
