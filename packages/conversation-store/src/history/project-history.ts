import {
  type ContentBlock,
  type Delivery,
  META_IDENTITY,
  type ResourceIdentity,
  type ResourceLink,
  type ToolResult,
} from '@toolblocks/protocol'
import type { Compaction, DeliveryEvent } from '../events/conversation-event.ts'
import type { History, HistoryEntry } from './read-history.ts'

/** An entry as a model is given it. */
export interface ProjectedEntry extends HistoryEntry {
  /** Of a result: the text that the model was given. Absent where none is recorded or it holds no longer: then the result is written anew. */
  text?: string
  /** With `text`: in which form it has the resources of the result. Of a message: what it was given with it. */
  deliveries?: readonly Delivery[]
  /** Stands for what was compacted. */
  compacted?: true
}

/** What a model is given of a conversation. */
export interface Projection {
  /** Without deliveries and compactions. */
  entries: readonly ProjectedEntry[]
}

/**
 * Reads what a model is given of a conversation: what was compacted is left out, or its summary stands for it, and what it has named (uris,
 * mime types, checksums) stays named. The same events give the same, and events that are added change nothing before them but by a compaction or a
 * rewind.
 */
export function projectHistory({ entries }: Pick<History, 'entries'>): Projection {
  const plans = planCompaction(entries)
  const given = readDeliveries(entries, plans)
  const summaries = standInsForTurns(entries, plans)
  const omitted = standInsForCalls(entries, plans)
  const names = new Map<string, string>()
  const projected: ProjectedEntry[] = []
  for (const entry of entries) {
    const { event, turn } = entry
    const plan = plans.get(turn) ?? UNCHANGED
    if (event.type === 'tool_call') names.set(event.call.id, event.call.name)
    if (event.type === 'delivery' || event.type === 'compaction') continue
    if (event.type === 'configuration') projected.push(entry)
    else if (plan.summary) projected.push(...(summaries.get(entry) ?? []))
    else if (plan.toolCalls === 'omit' && isOfCall(entry))
      projected.push(...(omitted.get(entry) ?? []))
    else {
      const as = given.get(entry)
      projected.push({ ...compactEntry(entry, plan, names), ...as })
    }
  }
  return { entries: projected }
}

const UNCHANGED: TurnPlan = {}

function compactEntry(
  entry: HistoryEntry,
  { reasoning, toolCalls }: TurnPlan,
  names: ReadonlyMap<string, string>,
): ProjectedEntry {
  const { event } = entry
  if (event.type === 'assistant_message' && reasoning && event.reasoning !== undefined) {
    // What a provider wants back with a thought is of no use without it.
    const { reasoning: _thought, _meta: _signature, ...said } = event
    return { ...entry, event: said, compacted: true }
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

/** What becomes of a turn. */
interface TurnPlan {
  /** Stands for the turn; what else is said of the turn is then of no account. */
  summary?: Compaction
  reasoning?: NonNullable<Compaction['reasoning']>
  toolCalls?: NonNullable<Compaction['toolCalls']>
}

/** A compaction and the turns that it reaches. */
interface Reach {
  compaction: Compaction
  from: number
  /** Inclusive. */
  to: number
}

/** Events that a turn does not go on with. */
const SILENT: ReadonlySet<string> = new Set(['compaction', 'configuration', 'delivery'])

/**
 * Says what becomes of each turn that was compacted. Where two compactions say different things of a turn, the later counts. The turn in which one
 * stands is left as it is where it goes on behind it.
 */
function planCompaction(entries: readonly HistoryEntry[]): ReadonlyMap<number, TurnPlan> {
  const latestFirst = reaches(entries)
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

function reaches(entries: readonly HistoryEntry[]): readonly Reach[] {
  const found: Reach[] = []
  if (!entries.some(({ event }) => event.type === 'compaction')) return found
  let goesOn = 0
  for (const { event, turn } of entries.toReversed()) {
    if (!SILENT.has(event.type)) goesOn = turn
    if (event.type !== 'compaction') continue
    const last = goesOn === turn ? turn - 1 : turn
    found.push({
      compaction: event,
      from: Math.max(1, event.fromTurn),
      to: Math.min(event.toTurn, last),
    })
  }
  return found
}

/** Gives each turn the first of the ranges that it is in; every turn is looked at about once, however the ranges overlap. */
function paint(ranges: readonly Reach[]): ReadonlyMap<number, Compaction> {
  const painted = new Map<number, Compaction>()
  /** From a turn that is painted to one behind it that may not be. */
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

/** What was recorded of a result, or of what came with a message, which is never written otherwise. */
interface ReadDelivery {
  text?: string
  deliveries: readonly Delivery[]
}

/**
 * Pairs what a model was given with the results, by call id and order in their turn, and what came with a message with the message. What a compaction
 * has taken away stands no longer, nor what a value was taken out of, nor a text that points to either.
 */
function readDeliveries(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): ReadonlyMap<HistoryEntry, ReadDelivery> {
  const paired = pair(entries)
  const isLost = (entry: HistoryEntry, delivery: HistoryEntry): boolean =>
    isGone(plans.get(entry.turn)) ||
    entry.scrubbedAt !== undefined ||
    delivery.scrubbedAt !== undefined
  const lost = new Set<string>()
  for (const [entry, { event, delivery }] of paired)
    if (isLost(entry, delivery))
      for (const each of event.deliveries) if (each.form === 'full') lost.add(keyOf(each))
  const given = new Map<HistoryEntry, ReadDelivery>()
  for (const [entry, { event, delivery }] of paired) {
    if (isGone(plans.get(entry.turn))) continue
    const { text } = event
    const pointsToLost = event.deliveries.some(
      (each) => each.form === 'reference' && lost.has(keyOf(each)),
    )
    if (pointsToLost) continue
    const deliveries = isLost(entry, delivery)
      ? event.deliveries.filter(({ form }) => form === 'reference')
      : event.deliveries
    if (entry.event.type === 'user_message') given.set(entry, { deliveries })
    else if (text !== undefined) given.set(entry, { text, deliveries })
  }
  return given
}

interface Paired {
  event: DeliveryEvent
  /** The entry of that event. */
  delivery: HistoryEntry
}

/** What speaks of no result and of no message before it in its turn belongs to nothing. */
function pair(entries: readonly HistoryEntry[]): ReadonlyMap<HistoryEntry, Paired> {
  const paired = new Map<HistoryEntry, Paired>()
  const open = new Map<string, HistoryEntry[]>()
  let message: HistoryEntry | undefined
  for (const entry of entries) {
    const { event, turn } = entry
    if (event.type === 'user_message') message = entry
    if (event.type === 'tool_result') {
      const key = `${turn} ${event.result.id ?? ''}`
      const results = open.get(key)
      if (results) results.push(entry)
      else open.set(key, [entry])
    }
    if (event.type !== 'delivery') continue
    const isOfMessage = event.callId === undefined && event.text === undefined
    const of = isOfMessage
      ? message?.turn === turn
        ? message
        : undefined
      : open.get(`${turn} ${event.callId ?? ''}`)?.shift()
    if (of) paired.set(of, { event, delivery: entry })
  }
  return paired
}

/** Whether the content of results is not given any more. */
function isGone(plan: TurnPlan | undefined): boolean {
  return plan?.summary !== undefined || plan?.toolCalls !== undefined
}

function keyOf({ uri, sha256 }: Delivery): string {
  return `${sha256} ${uri}`
}

/** What stands for entries that are left out, by the first of them. */
type StandIns = ReadonlyMap<HistoryEntry, readonly ProjectedEntry[]>

const NONE: StandIns = new Map()

/** What stands for turns with a summary, by the first entry of each summary. */
function standInsForTurns(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): StandIns {
  if (plans.size === 0) return NONE
  const groups = groupBy(entries, ({ turn, event }) =>
    event.type === 'configuration' || event.type === 'delivery' || event.type === 'compaction'
      ? undefined
      : plans.get(turn)?.summary,
  )
  return new Map(
    [...groups].map(([{ summary = '' }, group]) => {
      const [first] = group
      const turns = distinct(group.map(({ turn }) => turn))
      const place = { seq: first.seq, at: first.at, turn: first.turn, compacted: true } as const
      const heading = `[Summary of the conversation so far, turn${turns.length === 1 ? '' : 's'} ${spans(turns)}.]`
      const links = distinctLinks(group.flatMap(linksOfEntry))
      return [
        first,
        [
          { ...place, event: { type: 'turn_start', turn: first.turn } },
          { ...place, event: { type: 'user_message', content: [{ type: 'text', text: heading }] } },
          {
            ...place,
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

/** What stands for calls that are left out, by the first entry of them in each turn. */
function standInsForCalls(
  entries: readonly HistoryEntry[],
  plans: ReadonlyMap<number, TurnPlan>,
): StandIns {
  if (plans.size === 0) return NONE
  const groups = groupBy(entries, (entry) =>
    isOfCall(entry) && plans.get(entry.turn)?.toolCalls === 'omit' ? entry.turn : undefined,
  )
  return new Map(
    [...groups].map(([, group]) => {
      const [first] = group
      const calls = group.filter(({ event }) => event.type === 'tool_call').length
      const text = `[compacted] ${calls === 1 ? '1 call was' : `${calls} calls were`} left out.`
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
  if (event.type === 'tool_result') return linksOf(event.result)
  return event.type === 'user_message' || event.type === 'assistant_message'
    ? linksTo(event.content)
    : []
}

function groupBy<Key>(
  entries: readonly HistoryEntry[],
  keyOf: (entry: HistoryEntry) => Key | undefined,
): ReadonlyMap<Key, [HistoryEntry, ...HistoryEntry[]]> {
  const groups = new Map<Key, [HistoryEntry, ...HistoryEntry[]]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return groups
}

function distinct(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)]
}

/** `1–3, 5`. */
function spans(turns: readonly number[]): string {
  const found: [number, number][] = []
  for (const turn of turns) {
    const last = found.at(-1)
    if (last && turn === last[1] + 1) last[1] = turn
    else found.push([turn, turn])
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ')
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

/** What is left of a result whose content is left out: how it ended, and what it was about. */
function stripResult(result: ToolResult, tool: string | undefined): ToolResult {
  const { id, isError, metadata } = result
  const outcome = metadata?.outcome
  const text = `[compacted] ${tool ?? 'unknown'}: ${isError ? 'error' : 'success'}`
  return {
    ...(id !== undefined && { id }),
    content: [{ type: 'text', text }, ...linksOf(result)],
    isError,
    ...(outcome && { metadata: { outcome } }),
  }
}

/** Resources of a result by name: uri, mime type, size and checksum, without their content. */
function linksOf({ content, metadata }: ToolResult): readonly ResourceLink[] {
  return linksTo(content, metadata?.resources)
}

/** The same of blocks, with their identities where they are known. */
function linksTo(
  content: readonly ContentBlock[],
  identities: readonly (ResourceIdentity | null)[] = [],
): readonly ResourceLink[] {
  return content.flatMap((block, index): readonly ResourceLink[] => {
    if (block.type === 'resource_link') return [block]
    if (block.type !== 'resource') return []
    const { uri, name = uri, title, mimeType } = block.resource
    const identity = identities[index]
    const known = identity && { size: identity.bytes, description: `sha256 ${identity.sha256}` }
    // Also where there is none: it says that this is no link of the tool.
    const left = { _meta: { [META_IDENTITY]: identity ? { ...identity } : null } }
    const words = {
      ...(title !== undefined && { title }),
      ...(mimeType !== undefined && { mimeType }),
    }
    return [{ type: 'resource_link', uri, name, ...words, ...known, ...left }]
  })
}

/** Each resource once, by what it is. */
function distinctLinks(links: readonly ResourceLink[]): readonly ResourceLink[] {
  return [
    ...new Map(links.map((link) => [JSON.stringify([link.uri, link.description]), link])).values(),
  ]
}
