import { requireArguments, META_MADE_BY } from '@toolblocks/protocol/internal'
import { createErrorResult } from '@toolblocks/protocol'
import { findUnfinishedCall, isWrittenByPerson } from '../events/person-text.ts'
import type { StoredEvent } from '../events/conversation-event.ts'
import { createRewinds } from './rewinds.ts'

/** An event in the ordered history of a conversation. */
export interface HistoryEntry {
  /** Number of the event in the conversation; for a synthetic result, that of its call. */
  seq: number
  /** When it happened: ISO 8601, UTC. */
  at: string
  /** Counted from 1; 0 before the first turn. */
  turn: number
  /** The event as the store returns it, or a synthetic one. */
  event: StoredEvent['event']
  /** When a value was scrubbed from the event: ISO 8601, UTC. */
  scrubbedAt?: string
  /** For a result: the `seq` of its call. */
  callSeq?: number
  /** Whether the entry was created here, because a call has no result. */
  synthetic?: true
}

/** The ordered form of a conversation. The store keeps it unchanged. */
export interface History {
  /** The entries that count. Every call is followed by its result in the same turn, though not at once: calls run in parallel. */
  entries: readonly HistoryEntry[]
  /** Events without their counterpart: results and questions without a call, answers without a question. */
  unpaired: readonly StoredEvent[]
  /** Events that a rewind has undone, in their order. */
  undone: readonly StoredEvent[]
}

/**
 * Orders the events of a conversation. The result omits what was undone, counts turns, and has a result for every call. Turns are counted by
 * `turn_start`; without such events by the messages of people, except those that a program wrote in their name. A result belongs to the first open
 * call of its id in its turn, otherwise in the latest turn before it. The events must be complete and in their order.
 */
export function readHistory(events: readonly StoredEvent[]): History {
  requireArguments('readHistory(events)', [events, 'iterable'])
  const { kept, undone } = applyRewinds(events)
  const turns: OpenTurn[] = []
  const unpaired: StoredEvent[] = []
  for (const turn of splitTurns(kept)) unpaired.push(...readTurn(turn, turns))
  return { entries: turns.flatMap(addInterrupted), unpaired, undone }
}

/** Separates the events that count from those that a rewind has undone. */
function applyRewinds(events: readonly StoredEvent[]): {
  kept: readonly StoredEvent[]
  undone: readonly StoredEvent[]
} {
  const rewinds = createRewinds()
  for (const stored of events) rewinds.add(stored)
  if (rewinds.count() === 0) return { kept: events, undone: [] }
  const counted = rewinds.kept()
  return {
    kept: events.filter(({ seq }) => counted.has(seq)),
    undone: events.filter(({ seq, event }) => event.type !== 'rewind' && !counted.has(seq)),
  }
}

interface HistoryTurn {
  number: number
  events: StoredEvent[]
}

function splitTurns(events: readonly StoredEvent[]): readonly HistoryTurn[] {
  const isTold = events.some(({ event }) => event.type === 'turn_start')
  const beginsTurn = (event: StoredEvent['event']): boolean =>
    isTold ? event.type === 'turn_start' : isWrittenByPerson(event)
  let open: HistoryTurn = { number: 0, events: [] }
  const turns = [open]
  for (const stored of events) {
    if (beginsTurn(stored.event)) {
      open = { number: open.number + 1, events: [] }
      turns.push(open)
    }
    open.events.push(stored)
  }
  return turns
}

/** Calls that have no result yet, by their ids, in their order. */
type OpenCalls = Map<string | undefined, HistoryEntry[]>

/** The entries of a turn until now, and its calls that have no result yet. */
interface OpenTurn {
  entries: HistoryEntry[]
  open: OpenCalls
}

/**
 * Adds a turn to the turns before it, and returns its events without their counterpart. The result of a call of an earlier turn, which a program
 * stored late, is added to that turn: a stored result is never replaced by a synthetic one.
 */
function readTurn(
  { number: turn, events }: HistoryTurn,
  turns: OpenTurn[],
): readonly StoredEvent[] {
  const entries: HistoryEntry[] = []
  const unpaired: StoredEvent[] = []
  const open: OpenCalls = new Map()
  const questions = new Set<string>()
  const hosts = getHostCalls(events)
  turns.push({ entries, open })
  for (const stored of events) {
    const { seq, at, event, scrubbedAt } = stored
    const entry = { seq, at, turn, event, ...(scrubbedAt !== undefined && { scrubbedAt }) }
    if (event.type === 'tool_result') {
      const target = turns.findLast((each) => hasOpenCall(each, event.result.id))
      const call = target?.open.get(event.result.id)?.shift()
      if (target && call) target.entries.push({ ...entry, turn: call.turn, callSeq: call.seq })
      else unpaired.push(stored)
    } else if (belongsToTurn(event, { open, questions, hosts })) entries.push(entry)
    else unpaired.push(stored)
    if (event.type === 'tool_call') addTo(open, event.call.id, entry)
  }
  return unpaired
}

function hasOpenCall({ open }: Pick<OpenTurn, 'open'>, id: string | undefined): boolean {
  return (open.get(id)?.length ?? 0) > 0
}

function addTo(open: OpenCalls, id: string, call: HistoryEntry): void {
  const calls = open.get(id)
  if (calls) calls.push(call)
  else open.set(id, [call])
}

/** Returns the ids of calls that a host made from the answers of people. Their questions precede them. */
function getHostCalls(events: readonly StoredEvent[]): ReadonlySet<string> {
  const ids = events.flatMap(({ event }) =>
    event.type === 'tool_call' && event.call._meta?.[META_MADE_BY] === 'host' ? event.call.id : [],
  )
  return new Set(ids)
}

/** Whether the call or question that an event refers to precedes it in its turn; for calls of a host it may follow. */
function belongsToTurn(
  event: StoredEvent['event'],
  {
    open,
    questions,
    hosts,
  }: { open: OpenCalls; questions: Set<string>; hosts: ReadonlySet<string> },
): boolean {
  if (event.type === 'answer') return questions.has(event.id)
  if (event.type !== 'question') return true
  const isOpen = hasOpenCall({ open }, event.callId) || hosts.has(event.callId)
  if (isOpen) questions.add(event.id)
  return isOpen
}

/** Adds a result to each call that has none, after the last entry that refers to the call, so that its questions stay before the result. */
function addInterrupted({ entries, open }: OpenTurn): readonly HistoryEntry[] {
  if ([...open.values()].every((calls) => calls.length === 0)) return entries
  const last = new Map<string | undefined, HistoryEntry>()
  for (const entry of entries) last.set(findCallId(entry), entry)
  return entries.flatMap((entry) => {
    const id = findCallId(entry)
    const calls = id !== undefined && last.get(id) === entry ? (open.get(id) ?? []) : []
    return [entry, ...calls.map(interruptedResult)]
  })
}

/** Returns the id of the call that an entry is or refers to. */
function findCallId({ event }: HistoryEntry): string | undefined {
  if (event.type === 'tool_call') return event.call.id
  if (event.type === 'tool_result') return event.result.id
  return event.type === 'question' || event.type === 'answer' ? event.callId : undefined
}

function interruptedResult({ seq, at, turn, event }: HistoryEntry): HistoryEntry {
  const id = event.type === 'tool_call' ? event.call.id : undefined
  const known = findUnfinishedCall(event)
  const result =
    known === 'unrecorded' || known === 'waiting'
      ? createErrorResult(NOT_RECORDED[known], id)
      : createErrorResult(INTERRUPTED, id, { outcome: 'cancelled' })
  return { seq, at, turn, event: { type: 'tool_result', result }, callSeq: seq, synthetic: true }
}

/** What is known of imported calls without a result. Their source does not say that they were interrupted. */
const NOT_RECORDED = {
  unrecorded:
    'The conversation was imported, and its source has no result of this call. Whether the call ran is not recorded.',
  waiting:
    'The conversation was imported while this call waited for the approval of a person. No decision is recorded.',
} as const

const INTERRUPTED =
  'The call was interrupted: the program that ran it ended before it had a result. A part of the work may be done.'
