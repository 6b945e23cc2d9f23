import type { StoredEvent } from '@toolblocks/conversation-store'
import { type Card, getCardEvents } from './read-cards.ts'

/** Events that were taken back one after the other, at their place between the cards that count. */
export interface UndoneGroup {
  kind: 'undone'
  events: readonly StoredEvent[]
  /** What they are, for example `3 messages that were taken back`. */
  label: string
}

/** Places the events that a rewind has undone between the cards of a conversation, by their numbers. Both are in their order. */
export function* placeUndone(
  cards: Iterable<Card>,
  undone: readonly StoredEvent[],
): Generator<Card | UndoneGroup> {
  let next = 0
  function* takeUntil(seq: number): Generator<UndoneGroup> {
    const start = next
    while (next < undone.length && (undone[next]?.seq ?? Infinity) < seq) next += 1
    if (next > start) yield createGroup(undone.slice(start, next))
  }
  for (const card of cards) {
    yield* takeUntil(getCardEvents(card)[0]?.seq ?? 0)
    yield card
  }
  yield* takeUntil(Infinity)
}

function createGroup(events: readonly StoredEvent[]): UndoneGroup {
  return { kind: 'undone', events, label: describeUndone(events) }
}

/** Describes events that a rewind has undone in one line: how many messages, or, without messages, how many events. */
export function describeUndone(events: readonly Pick<StoredEvent, 'event'>[]): string {
  const messages = events.filter(({ event }) => isMessage(event)).length
  const [count, what] = messages > 0 ? [messages, 'message'] : [events.length, 'event']
  return count === 1
    ? `1 ${what} that was taken back`
    : `${count.toLocaleString('en')} ${what}s that were taken back`
}

/** Whether a person or a model said something. Some messages of models have only reasoning, or only the usage of a request. */
function isMessage(event: StoredEvent['event']): boolean {
  return (
    event.type === 'user_message' ||
    (event.type === 'assistant_message' && event.content.length > 0)
  )
}
