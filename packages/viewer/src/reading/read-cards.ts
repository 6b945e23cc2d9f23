import { type DeliveryEvent, type StoredEvent } from '@toolblocks/conversation-store'
import {
  findUnfinishedCall,
  isWrittenByPerson,
  pairDeliveries,
} from '@toolblocks/conversation-store/internal'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { type ContentBlock, type ToolResult } from '@toolblocks/protocol'
import { META_MADE_BY } from '@toolblocks/protocol/internal'

/** An event for cards: a stored one, or one of a history. */
export interface CardEvent {
  seq: number
  at: string
  event: StoredEvent['event']
  /** The turn, for events of a history. */
  turn?: number
  scrubbedAt?: string
  /** Created for reading, because a call has no result. */
  synthetic?: true
}

type OfType<Type extends CardEvent['event']['type']> = CardEvent & {
  event: Extract<CardEvent['event'], { type: Type }>
}

/** A call with everything that belongs to it. */
export interface CallCard {
  kind: 'call'
  call: OfType<'tool_call'>
  /** Its questions, answers and approvals, in order. */
  steps: OfType<'question' | 'answer' | 'approval'>[]
  /** Absent if it has no result yet. */
  result?: OfType<'tool_result'>
  /** What the model received of the result. */
  delivery?: OfType<'delivery'>
  /** Its questions and approvals that a store keeps for people, in order. */
  pending: PendingQuestion[]
}

/** A unit of reading. */
export type Card =
  | CallCard
  /** A message of a person. */
  | { kind: 'person'; message: OfType<'user_message'> }
  /** A message that a program wrote for a person. */
  | { kind: 'program'; message: OfType<'user_message'> }
  /** A message or reasoning of a model. */
  | { kind: 'model'; message: OfType<'assistant_message'> }
  /** A result without its call, and its delivery. */
  | { kind: 'result'; result: OfType<'tool_result'>; delivery?: OfType<'delivery'> }
  | { kind: 'turn'; start: OfType<'turn_start'> }
  /** An event of the conversation itself: settings, compactions, rewinds, steps of a missing call. */
  | { kind: 'note'; note: CardEvent }
  /** Consecutive records of another program or version. */
  | { kind: 'records'; records: OfType<'unknown'>[] }
  /** A delivery whose result is missing. */
  | { kind: 'delivery'; delivery: OfType<'delivery'> }

/**
 * Groups events into cards, in order. A card is at the position of its first event, a call with its result at the position of the call. `pending` has
 * the questions that a store keeps for people. A call that waits for one of them has no result, also not a synthetic one.
 */
export function readCards(
  events: Iterable<CardEvent>,
  pending: readonly PendingQuestion[] = [],
): readonly Card[] {
  const all = [...events]
  const reading: CardReading = {
    cards: [],
    open: new Map(),
    deliveries: pairDeliveries(all),
    attached: new Set(),
    hosts: findHostCalls(all),
    opened: new Set(),
    turn: 0,
  }
  for (const one of all) if (!isOrigin(one)) takeEvent(one, reading)
  addPending(
    reading.cards.filter((card) => card.kind === 'call'),
    pending,
  )
  return reading.cards
}

/** Adds each question to its call: to the last one with its id that was made before it was asked. */
function addPending(cards: readonly CallCard[], pending: readonly PendingQuestion[]): void {
  for (const question of pending) {
    const named = cards.filter(({ call }) => call.event.call.id === question.call.id)
    const asking = named.findLast(({ call }) => call.at <= question.askedAt) ?? named[0]
    asking?.pending.push(question)
  }
  for (const card of cards)
    if (card.result?.synthetic && (isWaiting(card) || isUnrecorded(card))) delete card.result
}

/** Whether a call was imported without a result, and its source does not say that it was interrupted. */
function isUnrecorded({ call }: CallCard): boolean {
  const known = findUnfinishedCall(call.event)
  return known === 'unrecorded' || known === 'waiting'
}

/** Whether a call waits: for a person, or for a host that continues with the answer of a person. */
export function isWaiting({ result, steps, pending }: CallCard): boolean {
  const last = pending.at(-1)
  if (!last || last.state === 'withdrawn' || (result && !result.synthetic)) return false
  if (last.state === 'open') return true
  const recorded = steps.map(({ event }) => event.type)
  return last.kind === 'approval'
    ? !recorded.includes('approval')
    : recorded.findLast((type) => type !== 'approval') === 'question'
}

/** Whether an event only describes the start of a conversation: command, folder and model. The head of the conversation shows it. */
function isOrigin(one: CardEvent): boolean {
  return isOf(one, 'configuration') && one.seq === 1 && Object.hasOwn(one.event.values, 'command')
}

/** Returns the events of a card. */
export function getCardEvents(card: Card): readonly CardEvent[] {
  switch (card.kind) {
    case 'call': {
      const { call, steps, result, delivery } = card
      return [call, ...steps, ...(result ? [result] : []), ...(delivery ? [delivery] : [])]
    }
    case 'result':
      return [card.result, ...(card.delivery ? [card.delivery] : [])]
    case 'person':
    case 'program':
    case 'model':
      return [card.message]
    case 'turn':
      return [card.start]
    case 'note':
      return [card.note]
    case 'records':
      return card.records
    case 'delivery':
      return [card.delivery]
  }
}

interface CardReading {
  cards: Card[]
  /** Calls without a result, by id, in order. */
  open: Map<string, (CallCard & { turn: number })[]>
  /** The delivery of each result. */
  deliveries: ReadonlyMap<CardEvent, CardEvent & { event: DeliveryEvent }>
  /** Deliveries on the card of their result. */
  attached: Set<CardEvent>
  /** Calls that a host made with people's answers. Their questions come before them. */
  hosts: Map<string, OfType<'tool_call'>>
  /** Calls that already have a card, because a question was asked for them. */
  opened: Set<CardEvent>
  turn: number
}

function takeEvent(one: CardEvent, reading: CardReading): void {
  const { cards } = reading
  if (isOf(one, 'tool_call')) {
    if (!reading.opened.has(one)) openCall(one, reading)
  } else if (isOf(one, 'tool_result')) takeResult(one, reading)
  else if (isOf(one, 'delivery')) {
    if (!reading.attached.has(one)) cards.push({ kind: 'delivery', delivery: one })
  } else if (isOf(one, 'question') || isOf(one, 'answer') || isOf(one, 'approval')) {
    const card = findCall(one.event.callId, reading)
    if (card) card.steps.push(one)
    else cards.push({ kind: 'note', note: one })
  } else if (isOf(one, 'user_message')) {
    cards.push({ kind: isWrittenByPerson(one.event) ? 'person' : 'program', message: one })
  } else if (isOf(one, 'assistant_message')) {
    if (hasContent(one)) cards.push({ kind: 'model', message: one })
  } else if (isOf(one, 'turn_start')) {
    reading.turn += 1
    cards.push({ kind: 'turn', start: one })
  } else if (isOf(one, 'unknown')) {
    const before = cards.at(-1)
    if (before?.kind === 'records') before.records.push(one)
    else cards.push({ kind: 'records', records: [one] })
  } else cards.push({ kind: 'note', note: one })
}

function isOf<Type extends CardEvent['event']['type']>(
  one: CardEvent,
  type: Type,
): one is OfType<Type> {
  return one.event.type === type
}

function findHostCalls(events: readonly CardEvent[]): CardReading['hosts'] {
  const calls = events.filter((one) => isOf(one, 'tool_call'))
  return new Map(
    calls.flatMap((one) =>
      one.event.call._meta?.[META_MADE_BY] === 'host' ? [[one.event.call.id, one]] : [],
    ),
  )
}

function openCall(
  call: OfType<'tool_call'>,
  { cards, open, hosts, opened, turn }: CardReading,
): CallCard {
  const { id } = call.event.call
  // Some hosts reuse an id in the next turn. An earlier open call then has no result.
  const calls = (open.get(id) ?? []).filter((one) => one.turn === turn)
  const card = { kind: 'call' as const, call, steps: [], pending: [], turn }
  hosts.delete(id)
  opened.add(call)
  open.set(id, [...calls, card])
  cards.push(card)
  return card
}

/** Returns the call of a step: an open one, or one that a host is about to make. */
function findCall(id: string, reading: CardReading): CallCard | undefined {
  const host = reading.hosts.get(id)
  return reading.open.get(id)?.[0] ?? (host && openCall(host, reading))
}

function takeResult(
  result: OfType<'tool_result'>,
  { cards, open, deliveries, attached }: CardReading,
): void {
  const { id = '' } = result.event.result
  const card = open.get(id)?.shift()
  const owner: Extract<Card, { kind: 'call' | 'result' }> = card ?? { kind: 'result', result }
  if (card) card.result = result
  else cards.push(owner)
  const delivery = deliveries.get(result)
  if (!delivery) return
  owner.delivery = delivery
  attached.add(delivery)
}

/** Some messages only report the usage of a request. */
function hasContent({ event }: OfType<'assistant_message'>): boolean {
  const { content, reasoning, data } = event
  const isSaid = content.some((block) => block.type !== 'text' || block.text.trim() !== '')
  return isSaid || (reasoning ?? '').trim() !== '' || data !== undefined
}

/** Converts a model's message into results: its text is Markdown, other blocks are unchanged. */
export function toModelResults(content: readonly ContentBlock[]): readonly ToolResult[] {
  return content
    .filter((block) => block.type !== 'text' || block.text !== '')
    .map((block): ToolResult => {
      if (block.type !== 'text') return { content: [block], isError: false }
      const display = { preferredView: 'markdown' } as const
      const structuredContent = { kind: 'text', data: { content: block.text }, display }
      return { content: [], isError: false, structuredContent }
    })
}
