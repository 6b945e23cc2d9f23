import { putBlobs, readBlobs } from '../blobs/store-bytes.ts'
import { NO_HEAD } from '../rows/event-row.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { StoreError } from '../store-error.ts'
import { scrubRow } from './scrub-row.ts'
import { formsOf } from './secret-forms.ts'

/** What is to be taken out of a store. */
export interface ScrubRequest {
  /** The value: a text of at least 6 characters. */
  secret: string
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
}

const PAGE = 50
/** A shorter value is part of too much else. */
const SHORTEST = 6
const LIST = 100

/** Takes a value out of events, blobs, originals and the index, and then out of what the engine still has of them. */
export async function scrubStore(
  rows: EventRows,
  { secret, conversation }: ScrubRequest,
  now: () => Date,
): Promise<Scrubbed> {
  if (secret.length < SHORTEST || !secret.isWellFormed()) {
    const message = `A value to scrub has at least ${SHORTEST} characters and no half of a surrogate pair; this one has ${secret.length} characters. Nothing was changed.`
    throw new StoreError('unscrubbable', message)
  }
  const at = now().toISOString()
  const forms = formsOf(secret)
  const replaced = new Set<string>()
  let events = 0
  for await (const id of conversation === undefined ? idsOf(rows) : [conversation]) {
    let after = 0
    let previous = NO_HEAD.chain
    for (;;) {
      const found = await rows.scan(id, after, PAGE)
      for (const row of found.rows) {
        const blobsOf = (hashes: readonly string[]) => readBlobs(rows.blobs, hashes)
        const scrubbed = await scrubRow(row, { conversation: id, previous, forms, at, blobsOf })
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
  return { at, events, blobs: replaced.size, shared: left.length }
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
