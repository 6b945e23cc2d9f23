import { StoreError } from '../../../store-error.ts'

/** Each conversation has as many keys, one after the other: more than it will have events. */
const KEYS = 2 ** 28

/** What one conversation can have. */
export const MOST_EVENTS = KEYS - 1
/** Keys are numbers that JavaScript knows exactly. */
const MOST_CONVERSATIONS = Math.floor(Number.MAX_SAFE_INTEGER / KEYS) - 1

/** SQL for the number of the next conversation: greater than that of any event, too, whose conversation was lost. */
export const NEXT_NUMBER = `
  1 + max((SELECT coalesce(max(number), 0) FROM conversations), (SELECT coalesce(max(key), 0) / ${KEYS} FROM events))`

/** SQL for the key of an event from the columns `number` and `seq`. */
export const KEY_OF_ROW = `number * ${KEYS} + seq`

/** The key of an event. With it a table needs no index beside it, which every append would have to write. */
export function keyOf(number: number, seq: number): number {
  return number * KEYS + Math.min(seq, MOST_EVENTS)
}

/** Greater than every key of a conversation. */
export function keysEnd(number: number): number {
  return (number + 1) * KEYS
}

/** Throws where a conversation or the store would have more than there are keys for. */
export function checkKeys({ id, number }: { id: string; number: number }, seq: number): void {
  if (seq > MOST_EVENTS)
    throw noRoom(id, `${MOST_EVENTS} events of one conversation; begin another one`)
  if (number > MOST_CONVERSATIONS)
    throw noRoom(id, `${MOST_CONVERSATIONS} conversations; begin another file`)
}

function noRoom(id: string, most: string): StoreError {
  const what = `Nothing was appended to conversation ${JSON.stringify(id)}`
  return new StoreError('failed', `${what}: a file has room for ${most}.`)
}
