import { type Payload, putPayloads } from '../blobs/payloads.ts'
import { readBlobs } from '../blobs/store-bytes.ts'
import type { DamagedEvent } from '../conversation-store.ts'
import type { BlobRows } from '../rows/blob-rows.ts'
import type { EventRow } from '../rows/event-row.ts'
import { damagedEvent } from '../store-error.ts'
import type { StoreProblem } from '../store-problem.ts'
import type { StoredEvent } from './conversation-event.ts'
import { decodeEvent, openEvent } from './decode-event.ts'

/**
 * Reads the events of rows that are proven, with the strings that were taken out of them.
 *
 * @throws StoreError with code `damaged` where a blob is missing or is not as it was kept.
 */
export async function readEvents(
  conversation: string,
  rows: readonly EventRow[],
  blobs: BlobRows,
): Promise<readonly (StoredEvent | DamagedEvent)[]> {
  const opened = rows.map((row) => ({ row, ...openEvent(row.bytes) }))
  const known = await readBlobs(blobs, hashesOf(opened.flatMap(({ payloads }) => payloads)))
  return opened.map(({ row, value, payloads }) => {
    const lost = putPayloads(value, payloads, (sha256) => known.get(sha256))
    if (lost) throw damagedEvent(conversation, row.seq, describeLost(lost))
    const decoded = decodeEvent(value === undefined ? {} : { value })
    const { seq, at, bytes, original, scrubbed } = row
    const more = { ...(original && { original }), ...(scrubbed && { scrubbedAt: scrubbed.at }) }
    return decoded.ok
      ? { seq, at, event: decoded.event, ...more }
      : { seq, bytes, problem: { ...decoded.problem, path: `/${seq}` } }
  })
}

/** Names each event of which a blob is missing or is not as it was kept. */
export async function verifyBlobs(
  rows: readonly EventRow[],
  blobs: BlobRows,
): Promise<StoreProblem[]> {
  const opened = rows.map(({ seq, bytes }) => ({ seq, payloads: openEvent(bytes).payloads }))
  const known = await readBlobs(blobs, hashesOf(opened.flatMap(({ payloads }) => payloads)))
  return opened.flatMap(({ seq, payloads }) => {
    const lost = payloads.find(({ sha256 }) => !known.has(sha256))
    return lost ? [{ path: `/${seq}`, message: describeLost(lost), code: 'damaged-event' }] : []
  })
}

function hashesOf(payloads: readonly Payload[]): readonly string[] {
  return [...new Set(payloads.map(({ sha256 }) => sha256))]
}

function describeLost({ path, sha256 }: Payload): string {
  return `the text at ${path} (blob ${sha256.slice(0, 12)}…) is missing or not as it was kept`
}
