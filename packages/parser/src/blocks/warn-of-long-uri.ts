import { Buffer } from 'node:buffer'
import { MAX_URI_BYTES } from '@toolblocks/protocol'
import { type Reading, warn } from '../reading.ts'

/** Notes a uri over the limit: it stays as it was said, but nothing will be identified by it. */
export function warnOfLongUri(at: string, uri: string, reading: Reading): void {
  // A character is at most three bytes, so most uris need no counting.
  if (uri.length * 3 <= MAX_URI_BYTES) return
  const bytes = Buffer.byteLength(uri)
  if (bytes <= MAX_URI_BYTES) return
  warn(reading, {
    code: 'long-uri',
    at,
    message: 'The uri is too long to identify the resource; the block is kept.',
    expected: `at most ${MAX_URI_BYTES} bytes`,
    got: `${bytes} bytes`,
  })
}
