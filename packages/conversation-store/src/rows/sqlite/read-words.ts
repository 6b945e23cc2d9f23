import { inflateRawSync } from 'node:zlib'
import type { KeptBlob } from '../../blobs/blob.ts'
import { putPayloads } from '../../blobs/payloads.ts'
import { decodeEvent, openEvent } from '../../events/decode-event.ts'
import { textOfEvent, wordsOf } from '../../search/search-text.ts'
import type { SqliteBlobs } from './sqlite-blobs.ts'
import { type SqlRow, toBytes } from '../sql-row.ts'

/** The words of an event's row; none where it cannot be read, which reading it will tell. */
export function readWords(row: SqlRow, blobs: SqliteBlobs): readonly string[] {
  try {
    const { value, payloads } = openEvent(toBytes(row['bytes']))
    // Pictures have no words, and are not taken out of their compression for them.
    const texts = payloads.filter(({ as }) => as === 'text')
    const known = new Map(
      blobs.get(texts.map(({ sha256 }) => sha256)).map((blob) => [blob.sha256, blob]),
    )
    putPayloads(value, texts, (sha256) => inflate(known.get(sha256)))
    const decoded = decodeEvent(value === undefined ? {} : { value })
    return decoded.ok ? wordsOf(textOfEvent(decoded.event)) : []
  } catch {
    return []
  }
}

function inflate(blob: KeptBlob | undefined): Uint8Array | undefined {
  if (blob?.encoding === 'pieces') return undefined
  if (blob?.encoding !== 'deflate') return blob?.bytes
  return inflateRawSync(blob.bytes, { maxOutputLength: Math.max(blob.size, 1) })
}
