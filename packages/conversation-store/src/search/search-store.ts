import { countOf } from '../count-of.ts'
import type { ConversationStore } from '../conversation-store.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { excerptOf } from './excerpt-of.ts'
import { textOfEvent, wordsOf } from './search-text.ts'

/** What to look for. */
export interface SearchRequest {
  /** Words that must all be there, in any order and case. */
  text: string
  /** Only in this conversation. */
  conversation?: string
  /** Default: 20. */
  limit?: number
}

/** An event with the words that were looked for. */
export interface SearchHit {
  conversation: string
  seq: number
  at: string
  /** What kind of event it is. */
  type: string
  /** The words in their surroundings, on one line. From outside: pass it through an encoder before it is shown. */
  excerpt: string
}

const LIMIT = 20

/** Looks in the index of the rows, and reads what was found: a hit is as proven as any event. */
export async function searchStore(
  rows: EventRows,
  read: ConversationStore['read'],
  { text, conversation, limit = LIMIT }: SearchRequest,
): Promise<readonly SearchHit[]> {
  const words = [...new Set(wordsOf(text))]
  if (words.length === 0) return []
  const found = await rows.search({
    words,
    limit: countOf(limit),
    ...(conversation !== undefined && { conversation }),
  })
  const hits = await Promise.all(
    found.map(async (hit): Promise<SearchHit[]> => {
      const { events } = await read(hit.conversation, { after: hit.seq - 1, limit: 1 })
      return events.map(({ seq, at, event }) => {
        const excerpt = excerptOf(textOfEvent(event), words)
        return { conversation: hit.conversation, seq, at, type: event.type, excerpt }
      })
    }),
  )
  return hits.flat()
}
