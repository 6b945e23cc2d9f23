import type { ConversationStore } from '@toolblocks/conversation-store'
import { readAll } from '../../conversations/open/read-all.ts'
import { createSurvey, type Survey } from './survey-conversation.ts'

/** Surveys of the conversations that are looked at, each of which goes on where it was. */
export interface Surveys {
  /** Of all events up to a number. */
  upTo(id: string, last: number): Promise<Survey>
  /** The same, or where that would take long what is known by now; the rest is then read meanwhile. */
  soon(id: string, last: number): Promise<{ survey: Survey; extent: 'whole' | 'begun' }>
}

/** Events that are read in less time than anybody waits for a page. */
const FEW = 5000
/** Conversations that are remembered. */
const MOST = 20

/** Keeps surveys over a store. */
export function keepSurveys(store: ConversationStore): Surveys {
  const kept = new Map<string, { survey: Survey; seen: number; reading: Promise<void> }>()

  function open(id: string) {
    const known = kept.get(id)
    if (known) return known
    const [oldest] = kept.keys()
    if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest)
    const begun = { survey: createSurvey(), seen: 0, reading: Promise.resolve() }
    kept.set(id, begun)
    return begun
  }

  async function upTo(id: string, last: number): Promise<Survey> {
    const one = open(id)
    const before = one.reading
    const read = async (): Promise<void> => {
      await before
      if (one.seen >= last) return
      for await (const event of readAll(store, id, new AbortController().signal, one.seen)) {
        if ('event' in event) one.survey.add(event)
        one.seen = event.seq
      }
    }
    // What cannot be read now is tried again with the next page.
    one.reading = read().catch(() => undefined)
    await one.reading
    return one.survey
  }

  return {
    upTo,
    soon: async (id, last) => {
      const { survey, seen } = open(id)
      const reading = upTo(id, last)
      if (last - seen <= FEW) return { survey: await reading, extent: 'whole' }
      return { survey, extent: 'begun' }
    },
  }
}
