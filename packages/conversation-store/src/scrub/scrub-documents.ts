import { readJson } from '../events/decode-event.ts'
import { StoreError } from '../problems/store-error.ts'
import {
  type DocumentRow,
  type DocumentRows,
  hashDocument,
  isDocumentIntact,
} from '../rows/document-rows.ts'
import type { Scrubber } from './scrub-text.ts'

const PAGE = 50

/** The arguments of scrubbing documents. */
interface DocumentScrub {
  rows: DocumentRows
  scrubber: Scrubber
  /** The time of the scrub: ISO 8601, UTC. */
  at: string
}

/** Removes a value from the documents of a conversation, or from all. Returns the number of changed documents. */
export async function scrubDocuments(
  conversation: string | undefined,
  scrubbing: DocumentScrub,
): Promise<number> {
  const which = conversation === undefined ? {} : { conversation }
  let count = 0
  let after = 0
  for (;;) {
    const page = await scrubbing.rows.list({ ...which, after, limit: PAGE })
    for (const { position, ...row } of page) {
      if (await scrubDocument(row, scrubbing)) count += 1
      after = position
    }
    if (page.length < PAGE) return count
  }
}

/** Writes a new version of a document without the value. Returns whether the document contained it. */
async function scrubDocument(row: DocumentRow, scrubbing: DocumentScrub): Promise<boolean> {
  const { rows, scrubber, at } = scrubbing
  const isJson = readJson(row.bytes) !== undefined
  const bytes = isJson ? scrubber.json(row.bytes) : scrubber.bytes(row.bytes)
  if (isJson && scrubber.isIn(bytes)) throw unscrubbable(row)
  if (bytes === row.bytes) return false
  const content = { ...row, version: row.version + 1, at, bytes }
  // A document that was damaged before must stay recognizable as damaged.
  const sha256 = isDocumentIntact(row) ? hashDocument(content) : new Uint8Array()
  if (await rows.write({ ...content, sha256 })) return true
  const now = await rows.read(row.collection, row.id)
  return now !== undefined && (await scrubDocument(now, scrubbing))
}

function unscrubbable({ collection, id }: DocumentRow): StoreError {
  const message = `The value is part of how the document ${JSON.stringify(id)} of the collection "${collection}" is written; the document was not changed.`
  return new StoreError('unscrubbable', message)
}
