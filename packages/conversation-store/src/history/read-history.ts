import { createErrorResult, META_MADE_BY } from '@toolblocks/protocol'
import { isWrittenByPerson } from '../events/person-text.ts'
import type { StoredEvent } from '../events/conversation-event.ts'

/** An event as it counts in a conversation. */
export interface HistoryEntry {
  /** Of the event it is; of a synthetic result, of its call. */
  seq: number
  /** When it happened: ISO 8601, UTC. */
  at: string
  /** Counted from 1; 0 before the first turn. */
  turn: number
  /** As the store has it, or synthetic. */
  event: StoredEvent['event']
  /** When a value was taken out of it: ISO 8601, UTC. */
  scrubbedAt?: string
  /** Made here, because a call has no result: it was interrupted. */
  synthetic?: true
}

/** A conversation put in order; the store has it as it was. */
export interface History {
  /** Every call has its result behind it, in its turn. */
  entries: readonly HistoryEntry[]
  /** What belongs to nothing: results and questions without a call, answers without a question. */
  aside: readonly StoredEvent[]
  /** What a rewind has undone. */
  undone: readonly StoredEvent[]
}

/**
 * Reads the events of a conversation as they count: without what was undone, with turns counted (by `turn_start`, or by the
 * messages of people where there is none, not those that a program wrote in their place), and with a result for every call. Ids that a provider uses again are paired in
 * their turn and order. The events must be all, in their order.
 */
export function readHistory(events: readonly StoredEvent[]): History {
  const { kept, undone } = applyRewinds(events)
  const turns = splitTurns(kept).map(readTurn)
  return {
    entries: turns.flatMap(({ entries }) => entries),
    aside: turns.flatMap(({ aside }) => aside),
    undone,
  }
}

/** A rewind undoes what stands between its place and the one it leads to; an undone rewind undoes nothing. */
function applyRewinds(events: readonly StoredEvent[]): {
  kept: readonly StoredEvent[]
  undone: readonly StoredEvent[]
} {
  const kept: StoredEvent[] = []
  const undone: StoredEvent[] = []
  for (const stored of events) {
    if (stored.event.type === 'rewind')
      undone.push(...removeUndone(kept, stored.event.to).toReversed())
    else kept.push(stored)
  }
  return { kept, undone: undone.toReversed() }
}

/** Takes what a rewind to an event undoes from the end of a list, in order, and answers it. */
export function removeUndone<Entry extends { seq: number }>(entries: Entry[], to: number): Entry[] {
  const first = entries.findLastIndex(({ seq }) => seq <= to) + 1
  return entries.splice(first)
}

interface Turn {
  number: number
  events: StoredEvent[]
}

function splitTurns(events: readonly StoredEvent[]): readonly Turn[] {
  const isTold = events.some(({ event }) => event.type === 'turn_start')
  const begins = (event: StoredEvent['event']): boolean =>
    isTold ? event.type === 'turn_start' : isWrittenByPerson(event)
  let open: Turn = { number: 0, events: [] }
  const turns = [open]
  for (const stored of events) {
    if (begins(stored.event)) {
      open = { number: open.number + 1, events: [] }
      turns.push(open)
    }
    open.events.push(stored)
  }
  return turns
}

/** Calls that have no result yet, by their ids, in their order. */
type OpenCalls = Map<string | undefined, HistoryEntry[]>

function readTurn({ number: turn, events }: Turn): Pick<History, 'entries' | 'aside'> {
  const entries: HistoryEntry[] = []
  const aside: StoredEvent[] = []
  const open: OpenCalls = new Map()
  const questions = new Set<string>()
  const hosts = getHostCalls(events)
  for (const stored of events) {
    const { seq, at, event, scrubbedAt } = stored
    const entry = { seq, at, turn, event, ...(scrubbedAt !== undefined && { scrubbedAt }) }
    if (belongs(event, { open, questions, hosts })) entries.push(entry)
    else aside.push(stored)
    if (event.type === 'tool_call') addTo(open, event.call.id, entry)
  }
  return { entries: addInterrupted(entries, open), aside }
}

function addTo(open: OpenCalls, id: string, call: HistoryEntry): void {
  const calls = open.get(id)
  if (calls) calls.push(call)
  else open.set(id, [call])
}

/** The ids of calls that a host made for what people answered: the questions stand before them. */
function getHostCalls(events: readonly StoredEvent[]): ReadonlySet<string> {
  const ids = events.flatMap(({ event }) =>
    event.type === 'tool_call' && event.call._meta?.[META_MADE_BY] === 'host' ? event.call.id : [],
  )
  return new Set(ids)
}

/** Whether an event has what it speaks of in its turn, before it but for calls of a host; a result closes the first open call of its id. */
function belongs(
  event: StoredEvent['event'],
  {
    open,
    questions,
    hosts,
  }: { open: OpenCalls; questions: Set<string>; hosts: ReadonlySet<string> },
): boolean {
  if (event.type === 'tool_result') return open.get(event.result.id)?.shift() !== undefined
  if (event.type === 'answer') return questions.has(event.id)
  if (event.type !== 'question') return true
  const isOpen = (open.get(event.callId)?.length ?? 0) > 0 || hosts.has(event.callId)
  if (isOpen) questions.add(event.id)
  return isOpen
}

/** Puts results behind the last entry that speaks of a call without one: what was asked meanwhile stays before them. */
function addInterrupted(
  entries: readonly HistoryEntry[],
  open: OpenCalls,
): readonly HistoryEntry[] {
  if ([...open.values()].every((calls) => calls.length === 0)) return entries
  const last = new Map<string | undefined, HistoryEntry>()
  for (const entry of entries) last.set(findCallId(entry), entry)
  return entries.flatMap((entry) => {
    const id = findCallId(entry)
    const calls = id !== undefined && last.get(id) === entry ? (open.get(id) ?? []) : []
    return [entry, ...calls.map(interruptedResult)]
  })
}

/** The call that an entry is, or speaks of. */
function findCallId({ event }: HistoryEntry): string | undefined {
  if (event.type === 'tool_call') return event.call.id
  if (event.type === 'tool_result') return event.result.id
  return event.type === 'question' || event.type === 'answer' ? event.callId : undefined
}

function interruptedResult({ seq, at, turn, event }: HistoryEntry): HistoryEntry {
  const id = event.type === 'tool_call' ? event.call.id : undefined
  const result = createErrorResult(INTERRUPTED, id, { outcome: 'cancelled' })
  return { seq, at, turn, event: { type: 'tool_result', result }, synthetic: true }
}

const INTERRUPTED =
  'The call was interrupted: the program that ran it ended before there was a result. It may have been done in part.'
