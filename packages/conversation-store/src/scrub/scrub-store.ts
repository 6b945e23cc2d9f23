import { putBlobs, readBlobs } from '../rows/keep-bytes.ts'
import { NO_HEAD } from '../rows/event-row.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { scrubRow } from './scrub-row.ts'
import { createScrubber, joinScrubbers } from './scrub-text.ts'
import { countForms, type FormCount, type LetterCase } from './secret-forms.ts'

/** What is to be taken out of a store. */
export interface ScrubRequest {
  /** The value, or several: each a text of at least 6 characters. */
  secret: string | readonly string[]
  /** Whether the value is meant in whatever letter case. Default: `exact`. */
  letterCase?: LetterCase
  /** Only from this conversation. Default: from all. */
  conversation?: string
}

/** What a scrub has changed. */
export interface Scrubbed {
  /** When: ISO 8601, UTC. Every event that was changed says it too (`scrubbedAt`). */
  at: string
  events: number
  /** Bytes kept apart that had the value, and were written anew. */
  blobs: number
  /** Of those, how many are there as they were, because another conversation names them or somebody keeps them at this moment. */
  shared: number
  /** In which forms the value was looked for, and how many of each were removed. */
  forms: readonly FormCount[]
}

const PAGE = 50
const LIST = 100

/** Takes values out of events, blobs, originals and the index, and then out of what the engine still has of them. */
export async function scrubStore(
  rows: EventRows,
  { secret, letterCase = 'exact', conversation }: ScrubRequest,
  now: () => Date,
): Promise<Scrubbed> {
  const values = typeof secret === 'string' ? [secret] : secret
  const scrubber = joinScrubbers(values.map((value) => createScrubber(value, letterCase)))
  const at = now().toISOString()
  const replaced = new Set<string>()
  let events = 0
  for await (const id of conversation === undefined ? idsOf(rows) : [conversation]) {
    let after = 0
    let previous = NO_HEAD.chain
    for (;;) {
      const found = await rows.scan(id, after, PAGE)
      for (const row of found.rows) {
        const blobsOf = (hashes: readonly string[]) => readBlobs(rows.blobs, hashes)
        const scrubbed = await scrubRow(row, { conversation: id, previous, scrubber, at, blobsOf })
        previous = row.chain
        if (!scrubbed) continue
        await putBlobs(rows.blobs, scrubbed.blobs, at)
        await rows.rewrite(id, scrubbed.row)
        for (const sha256 of scrubbed.replaced) replaced.add(sha256)
        events += 1
      }
      const last = found.rows.at(-1)?.seq ?? 0
      if (found.rows.length < PAGE || last <= after) break
      after = last
    }
  }
  await rows.blobs.drop([...replaced], at)
  if (events > 0) await rows.purge()
  const left = await rows.blobs.get([...replaced])
  const forms = countForms(scrubber.removed, letterCase)
  return { at, events, blobs: replaced.size, shared: left.length, forms }
}

async function* idsOf(rows: EventRows): AsyncGenerator<string> {
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const listed = await rows.list({ limit: LIST, below })
    yield* listed.map(({ id }) => id)
    const last = listed.at(-1)
    if (!last || listed.length < LIST) return
    below = last.place
  }
}
