import type { ConversationList, ListRequest } from './conversation-store.ts'
import { countOf } from './count-of.ts'
import type { EventRows } from './rows/event-rows.ts'
import { StoreError } from './store-error.ts'

const LIST = 50

/** Lists conversations; one more than asked for tells whether there are more. */
export async function listConversations(
  rows: EventRows,
  { limit = LIST, cursor }: ListRequest,
): Promise<ConversationList> {
  const count = countOf(limit)
  const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : placeOf(cursor)
  const found = await rows.list({ limit: count + 1, below })
  const listed = found.slice(0, count)
  const last = listed.at(-1)
  return {
    conversations: listed.map(({ place: _place, ...summary }) => summary),
    ...(last && found.length > count && { next: String(last.place) }),
  }
}

function placeOf(cursor: string): number {
  const place = Number(cursor)
  if (/^\d{1,16}$/.test(cursor) && Number.isSafeInteger(place)) return place
  const message = `The cursor ${JSON.stringify(cursor)} is none; expected the "next" of a list.`
  throw new StoreError('invalid-cursor', message)
}
