import {
  type DeliveryEvent,
  type StoredEvent,
  isWrittenByPerson,
  pairDeliveries,
} from '@toolblocks/conversation-store'
import { type ContentBlock, type ToolResult } from '@toolblocks/protocol'
import { META_MADE_BY } from '@toolblocks/protocol/meta'

/** An event as cards are made of it: one that is stored, or one of a history. */
export interface CardEvent {
  seq: number
  at: string
  event: StoredEvent['event']
  /** Of a history: the turn that it is in. */
  turn?: number
  scrubbedAt?: string
  /** Made for reading, because a call has no result. */
  synthetic?: true
}

type OfType<Type extends CardEvent['event']['type']> = CardEvent & {
  event: Extract<CardEvent['event'], { type: Type }>
}

/** A call, with all that belongs to it. */
export interface CallCard {
  kind: 'call'
  call: OfType<'tool_call'>
  /** What was asked, answered and decided for it, in that order. */
  steps: OfType<'question' | 'answer' | 'approval'>[]
  /** Absent where it has none yet. */
  result?: OfType<'tool_result'>
  /** What the model was given of the result. */
  delivery?: OfType<'delivery'>
}

/** What a reader of a conversation takes as one thing. */
export type Card =
  | CallCard
  /** What a person said. */
  | { kind: 'person'; message: OfType<'user_message'> }
  /** What a program wrote in the place of a person. */
  | { kind: 'program'; message: OfType<'user_message'> }
  /** What a model said or thought. */
  | { kind: 'model'; message: OfType<'assistant_message'> }
  /** A result without its call, and what the model was given of it. */
  | { kind: 'result'; result: OfType<'tool_result'>; delivery?: OfType<'delivery'> }
  | { kind: 'turn'; start: OfType<'turn_start'> }
  /** What is said of the conversation itself: settings, compactions, rewinds, steps of a call that is not there. */
  | { kind: 'note'; note: CardEvent }
  /** Records of another program, or of another version, one behind the other. */
  | { kind: 'records'; records: OfType<'unknown'>[] }
  /** What the model was given of no result that is there. */
  | { kind: 'delivery'; delivery: OfType<'delivery'> }

/** Makes cards of events in their order. A card stands where its first event does, a call with its result where it was made. */
export function readCards(events: Iterable<CardEvent>): readonly Card[] {
  const all = [...events]
  const reading: Reading = {
    cards: [],
    open: new Map(),
    given: pairDeliveries(all),
    told: new Set(),
    hosts: findHostCalls(all),
    opened: new Set(),
    turn: 0,
  }
  for (const one of all) if (!isOrigin(one)) takeEvent(one, reading)
  return reading.cards
}

/** By which command a conversation was begun, where and with which model: the head of the conversation says it. */
function isOrigin(one: CardEvent): boolean {
  return isOf(one, 'configuration') && one.seq === 1 && Object.hasOwn(one.event.values, 'command')
}

/** The events of a card. */
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

interface Reading {
  cards: Card[]
  /** Calls that have no result yet, by their ids, in their order. */
  open: Map<string, (CallCard & { turn: number })[]>
  /** What the model was given of each result. */
  given: ReadonlyMap<CardEvent, CardEvent & { event: DeliveryEvent }>
  /** What stands on the card of its result. */
  told: Set<CardEvent>
  /** Calls that a host made for what people answered: the questions stand before them. */
  hosts: Map<string, OfType<'tool_call'>>
  /** Calls that have their card already, as somebody was asked for them. */
  opened: Set<CardEvent>
  turn: number
}

function takeEvent(one: CardEvent, reading: Reading): void {
  const { cards } = reading
  if (isOf(one, 'tool_call')) {
    if (!reading.opened.has(one)) openCall(one, reading)
  } else if (isOf(one, 'tool_result')) takeResult(one, reading)
  else if (isOf(one, 'delivery')) {
    if (!reading.told.has(one)) cards.push({ kind: 'delivery', delivery: one })
  } else if (isOf(one, 'question') || isOf(one, 'answer') || isOf(one, 'approval')) {
    const card = findCall(one.event.callId, reading)
    if (card) card.steps.push(one)
    else cards.push({ kind: 'note', note: one })
  } else if (isOf(one, 'user_message')) {
    cards.push({ kind: isWrittenByPerson(one.event) ? 'person' : 'program', message: one })
  } else if (isOf(one, 'assistant_message')) {
    if (saysSomething(one)) cards.push({ kind: 'model', message: one })
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

function findHostCalls(events: readonly CardEvent[]): Reading['hosts'] {
  const calls = events.filter((one) => isOf(one, 'tool_call'))
  return new Map(
    calls.flatMap((one) =>
      one.event.call._meta?.[META_MADE_BY] === 'host' ? [[one.event.call.id, one]] : [],
    ),
  )
}

function openCall(
  call: OfType<'tool_call'>,
  { cards, open, hosts, opened, turn }: Reading,
): CallCard {
  const { id } = call.event.call
  // Some hosts use an id again in the next turn: what is open from before has no result.
  const calls = (open.get(id) ?? []).filter((one) => one.turn === turn)
  const card = { kind: 'call' as const, call, steps: [], turn }
  hosts.delete(id)
  opened.add(call)
  open.set(id, [...calls, card])
  cards.push(card)
  return card
}

/** The call that a step speaks of: one that is open, or one that a host is about to make. */
function findCall(id: string, reading: Reading): CallCard | undefined {
  const host = reading.hosts.get(id)
  return reading.open.get(id)?.[0] ?? (host && openCall(host, reading))
}

function takeResult(result: OfType<'tool_result'>, { cards, open, given, told }: Reading): void {
  const { id = '' } = result.event.result
  const card = open.get(id)?.shift()
  const owner: Extract<Card, { kind: 'call' | 'result' }> = card ?? { kind: 'result', result }
  if (card) card.result = result
  else cards.push(owner)
  const delivery = given.get(result)
  if (!delivery) return
  owner.delivery = delivery
  told.add(delivery)
}

/** Some messages only tell what a request took. */
function saysSomething({ event }: OfType<'assistant_message'>): boolean {
  const { content, reasoning, data } = event
  const isSaid = content.some((block) => block.type !== 'text' || block.text.trim() !== '')
  return isSaid || (reasoning ?? '').trim() !== '' || data !== undefined
}

/** What a model says, as results: its text is Markdown, other blocks stay as they are. */
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
