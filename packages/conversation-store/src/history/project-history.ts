import { requireArguments } from '@toolblocks/protocol/internal'
import { type Delivery, type ResourceLink, type ToolResult } from '@toolblocks/protocol'
import { findImportedAgent } from '../events/person-text.ts'
import type { Compaction, DeliveryEvent, StoredEvent } from '../events/conversation-event.ts'
import { distinctLinks, getLinks, linksTo } from './link-resources.ts'
import type { History, HistoryEntry } from './read-history.ts'

/** An entry in the form that a model receives. */
export interface ProjectedEntry extends HistoryEntry {
  /** For a result: the text that the model received. Absent if no text is recorded or it is not valid any more; then the result is written again. */
  text?: string
  /** With `text`: the form in which the text has the resources of the result. For a message: what the model received with it. */
  deliveries?: readonly Delivery[]
  /** Whether the entry replaces compacted entries. */
  compacted?: true
}

/** What a model receives of a conversation. */
export interface Projection {
  /** The entries, without deliveries and compactions. */
  entries: readonly ProjectedEntry[]
}

/**
 * Returns what a model receives of a conversation. Compacted entries are omitted or replaced by a summary; the resources they named (URIs, MIME
 * types, checksums) stay named. The same events return the same projection. Appended events change nothing before them, unless they are a
 * compaction or a rewind.
 */
export function projectHistory(history: Pick<History, 'entries'>): Projection {
  requireArguments('projectHistory(history)', [history, { entries: 'array' }])
  const { entries } = history
  const plans = planCompaction(entries)
  const delivered = readDeliveries(entries, plans)
  const summaries = createTurnPlaceholders(entries, plans)
  const omitted = createCallPlaceholders(entries, plans)
  const names = new Map<string, string>()
  const projected: ProjectedEntry[] = []
  const others = new Set<number>()
  for (const entry of entries) {
    const { event, turn, callSeq } = entry
    // The model never received what its agents said, called and got.
    if (findImportedAgent(event) !== undefined || (callSeq !== undefined && others.has(callSeq))) {
      if (event.type === 'tool_call') others.add(entry.seq)
      continue
    }
    const plan = plans.get(turn) ?? {}
    if (event.type === 'tool_call') names.set(event.call.id, event.call.name)
    if (event.type === 'delivery' || event.type === 'compaction') continue
    if (event.type === 'configuration') projected.push(entry)
    else if (plan.summary) projected.push(...(summaries.get(entry) ?? []))
    else if (plan.toolCalls === 'omit' && isOfCall(entry))
      projected.push(...(omitted.get(entry) ?? []))
    else projected.push({ ...compactEntry(entry, plan, names), ...delivered.get(entry) })
  }
  return { entries: projected }
}

/** How a turn is compacted. */
interface TurnPlan {
  /** The summary that replaces the turn. With it, the other fields have no effect. */
  summary?: Compaction
  reasoning?: NonNullable<Compaction['reasoning']>
  toolCalls?: NonNullable<Compaction['toolCalls']>
}

/** A compaction and the range of turns that it covers. */
interface Reach {
  compaction: Compaction
  from: number
  /** The last turn, inclusive. */
  to: number
}

/** Events that do not continue a turn. */
const SILENT: ReadonlySet<string> = new Set(['compaction', 'configuration', 'delivery'])

/**
 * Returns how each compacted turn is to be compacted. If two compactions give different values for a turn, the later one wins. The turn that
 * contains a compaction stays unchanged if it continues after it.
 */
function planCompaction(entries: readonly HistoryEntry[]): ReadonlyMap<number, TurnPlan> {
  const latestFirst = findReaches(entries)
  const plans = new Map<number, TurnPlan>()
  for (const key of ['summary', 'reasoning', 'toolCalls'] as const)
    for (const [turn, compaction] of paint(
      latestFirst.filter((reach) => reach.compaction[key] !== undefined),
    )) {
      const value = key === 'summary' ? compaction : compaction[key]
      plans.set(turn, { ...plans.get(turn), [key]: value })
    }
  return plans
}

function findReaches(entries: readonly HistoryEntry[]): readonly Reach[] {
  const reaches: Reach[] = []
  if (!entries.some(({ event }) => event.type === 'compaction')) return reaches
  let continuedTurn = 0
  for (const { event, turn } of entries.toReversed()) {
    if (!SILENT.has(event.type)) continuedTurn = turn
    if (event.type !== 'compaction') continue
    const last = continuedTurn === turn ? turn - 1 : turn
    reaches.push({
      compaction: event,
      from: Math.max(1, event.fromTurn),
      to: Math.min(event.toTurn, last),
    })
  }
  return reaches
}

/** Assigns to each turn the first of the ranges that contain it. Visits every turn about once, however the ranges overlap. */
function paint(ranges: readonly Reach[]): ReadonlyMap<number, Compaction> {
  const painted = new Map<number, Compaction>()
  /** Maps a turn that has a range to a later turn that may not have one yet. */
  const next = new Map<number, number>()
  for (const { compaction, from, to } of ranges) {
    let turn = from
    while (turn <= to) {
      const known = next.get(turn)
      if (known === undefined) painted.set(turn, compaction)
      next.set(turn, Math.max(known ?? 0, to + 1))
      turn = known ?? turn + 1
    }
  }
  return painted
}

/**
 * Collects the recorded delivery of each result and each message. A recorded text is never written in another way. It is not valid any more if a
 * compaction removed it, if a value was scrubbed from it, or if it refers to one of those.
 */
function readDeliveries(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): ReadonlyMap<HistoryEntry, Pick<ProjectedEntry, 'text' | 'deliveries'>> {
  const paired = pairDeliveries(entries)
  const isLost = (entry: HistoryEntry, delivery: HistoryEntry): boolean =>
    isContentOmitted(plans.get(entry.turn)) ||
    entry.scrubbedAt !== undefined ||
    delivery.scrubbedAt !== undefined
  const lost = new Set<string>()
  for (const [entry, delivery] of paired)
    if (isLost(entry, delivery))
      for (const each of delivery.event.deliveries)
        if (each.form === 'full') lost.add(getResource(each))
  const delivered = new Map<HistoryEntry, Pick<ProjectedEntry, 'text' | 'deliveries'>>()
  for (const [entry, delivery] of paired) {
    if (isContentOmitted(plans.get(entry.turn))) continue
    const { text, deliveries: recorded } = delivery.event
    const pointsToLost = recorded.some(
      (each) => each.form === 'reference' && lost.has(getResource(each)),
    )
    if (pointsToLost) continue
    const deliveries = isLost(entry, delivery)
      ? recorded.filter(({ form }) => form === 'reference')
      : recorded
    if (entry.event.type === 'user_message') delivered.set(entry, { deliveries })
    else if (text !== undefined) delivered.set(entry, { text, deliveries })
  }
  return delivered
}

/** An event and its turn. Without turns, each `turn_start` begins one. */
export interface PairedEntry {
  /** The event, as the store returns it. */
  event: StoredEvent['event']
  /** Counted from 1. Default: found by the `turn_start` events before it. */
  turn?: number
}

/**
 * Finds the delivery of each result (by call id and order in their turn) and of each message, with its entry. Ignores a delivery for which its turn
 * has no result and no message before it.
 */
export function pairDeliveries<Entry extends PairedEntry>(
  entries: Iterable<Entry>,
): ReadonlyMap<Entry, Entry & { event: DeliveryEvent }> {
  requireArguments('pairDeliveries(entries)', [entries, 'iterable'])
  const paired = new Map<Entry, Entry & { event: DeliveryEvent }>()
  const open = new Map<string, Entry[]>()
  let message: { entry: Entry; turn: number } | undefined
  let turns = 0
  for (const entry of entries) {
    const { event } = entry
    if (event.type === 'turn_start') turns += 1
    const { turn = turns } = entry
    if (event.type === 'user_message') message = { entry, turn }
    if (event.type === 'tool_result') {
      const key = `${turn} ${event.result.id ?? ''}`
      const results = open.get(key)
      if (results) results.push(entry)
      else open.set(key, [entry])
    }
    if (!isDelivery(entry)) continue
    const { callId, text } = entry.event
    const target =
      callId !== undefined || text !== undefined
        ? open.get(`${turn} ${callId ?? ''}`)?.shift()
        : message?.turn === turn
          ? message.entry
          : undefined
    if (target) paired.set(target, entry)
  }
  return paired
}

function isDelivery<Entry extends PairedEntry>(
  entry: Entry,
): entry is Entry & { event: DeliveryEvent } {
  return entry.event.type === 'delivery'
}

/** Whether the content of results is omitted. */
function isContentOmitted(plan: TurnPlan | undefined): boolean {
  return plan?.summary !== undefined || plan?.toolCalls !== undefined
}

function getResource({ uri, sha256 }: Delivery): string {
  return `${sha256} ${uri}`
}

type Placeholders = ReadonlyMap<HistoryEntry, readonly ProjectedEntry[]>

const NONE: Placeholders = new Map()

/** Creates the texts that replace summarized turns, by the first entry of each summary. */
function createTurnPlaceholders(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): Placeholders {
  if (plans.size === 0) return NONE
  const groups = groupBy(entries, ({ turn, event }) =>
    event.type === 'configuration' || event.type === 'delivery' || event.type === 'compaction'
      ? undefined
      : plans.get(turn)?.summary,
  )
  return new Map(
    [...groups].map(([{ summary = '' }, group]) => {
      const [first] = group
      const turns = [...new Set(group.map(({ turn }) => turn))]
      const position = { seq: first.seq, at: first.at, turn: first.turn, compacted: true } as const
      const heading = `[Summary of the conversation so far, turn${turns.length === 1 ? '' : 's'} ${spans(turns)}.]`
      const links = distinctLinks(group.flatMap(linksOfEntry))
      return [
        first,
        [
          { ...position, event: { type: 'turn_start', turn: first.turn } },
          {
            ...position,
            event: { type: 'user_message', content: [{ type: 'text', text: heading }] },
          },
          {
            ...position,
            event: {
              type: 'assistant_message',
              content: [{ type: 'text', text: summary }, ...links],
            },
          },
        ],
      ]
    }),
  )
}

/** Creates the texts that replace omitted calls, by the first of these entries in each turn. */
function createCallPlaceholders(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): Placeholders {
  if (plans.size === 0) return NONE
  const groups = groupBy(entries, (entry) =>
    isOfCall(entry) && plans.get(entry.turn)?.toolCalls === 'omit' ? entry.turn : undefined,
  )
  return new Map(
    [...groups].map(([, group]) => {
      const [first] = group
      const calls = group.filter(({ event }) => event.type === 'tool_call').length
      const text = `[compacted] ${calls === 1 ? '1 call was' : `${calls} calls were`} omitted.`
      const links = distinctLinks(group.flatMap(linksOfEntry))
      const event = {
        type: 'assistant_message',
        content: [{ type: 'text', text }, ...links],
      } as const
      return [first, [{ seq: first.seq, at: first.at, turn: first.turn, event, compacted: true }]]
    }),
  )
}

function linksOfEntry({ event }: HistoryEntry): readonly ResourceLink[] {
  if (event.type === 'tool_result') return getLinks(event.result)
  return event.type === 'user_message' || event.type === 'assistant_message'
    ? linksTo(event.content)
    : []
}

function groupBy<Key>(
  entries: readonly HistoryEntry[],
  getKey: (entry: HistoryEntry) => Key | undefined,
): ReadonlyMap<Key, [HistoryEntry, ...HistoryEntry[]]> {
  const groups = new Map<Key, [HistoryEntry, ...HistoryEntry[]]>()
  for (const entry of entries) {
    const key = getKey(entry)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return groups
}

/** `1–3, 5`. */
function spans(turns: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const turn of turns) {
    const last = ranges.at(-1)
    if (last && turn === last[1] + 1) last[1] = turn
    else ranges.push([turn, turn])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ')
}

/** Whether an entry is a call or belongs to one. */
function isOfCall({ event }: HistoryEntry): boolean {
  return (
    event.type === 'tool_call' ||
    event.type === 'tool_result' ||
    event.type === 'question' ||
    event.type === 'answer' ||
    event.type === 'approval'
  )
}

function compactEntry(
  entry: HistoryEntry,
  { reasoning, toolCalls }: TurnPlan,
  names: ReadonlyMap<string, string>,
): ProjectedEntry {
  const { event } = entry
  if (event.type === 'assistant_message' && reasoning && event.reasoning !== undefined) {
    // The metadata that a provider needs back with a thought is useless without the thought.
    const { reasoning: _thought, _meta: _signature, ...message } = event
    return { ...entry, event: message, compacted: true }
  }
  if (event.type === 'tool_call' && toolCalls === 'strip')
    return {
      ...entry,
      event: { ...event, call: { ...event.call, arguments: {} } },
      compacted: true,
    }
  if (event.type === 'tool_result' && toolCalls !== undefined) {
    const result = stripResult(event.result, names.get(event.result.id ?? ''))
    return { ...entry, event: { ...event, result }, compacted: true }
  }
  return entry
}

/** Reduces a result whose content is omitted to its status and its resources. */
function stripResult(result: ToolResult, tool: string | undefined): ToolResult {
  const { id, isError, metadata } = result
  const outcome = metadata?.outcome
  const text = `[compacted] ${tool ?? 'unknown'}: ${isError ? 'error' : 'success'}`
  return {
    ...(id !== undefined && { id }),
    content: [{ type: 'text', text }, ...getLinks(result)],
    isError,
    ...(outcome && { metadata: { outcome } }),
  }
}
