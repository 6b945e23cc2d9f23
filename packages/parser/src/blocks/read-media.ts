import { Buffer } from 'node:buffer'
import { sniffMimeType } from '@toolblocks/media-type'
import { describeValue, type JsonObject } from '@toolblocks/protocol'
import { type Reading, skipBlock, warn } from '../reading.ts'
import { mediaPlace } from './places.ts'
import { readBase64 } from './read-base64.ts'
import { takeWhole, readFields } from './read-fields.ts'

type MediaType = 'image' | 'audio'

/** Reads an image or audio block: its base64 is checked, a missing mime type is looked for in the first bytes. */
export function readMedia(
  block: JsonObject,
  type: MediaType,
  reading: Reading,
): JsonObject | undefined {
  const { data, mimeType } = block
  if (typeof data !== 'string') {
    return skipBlock(reading, {
      code: 'malformed-block',
      message: `an ${type} block needs base64 in "data".`,
      expected: 'string in "data"',
      got: describeValue(data),
    })
  }
  const content = readBase64(data, '/data', reading)
  if (!content) return undefined
  const { base64 } = content
  // An empty type says as much as none, but it was said: it stays where the bytes do not tell.
  const given = typeof mimeType === 'string' ? mimeType : undefined
  const known = given || (findMimeType(content, type) ?? given)
  if (known === undefined) {
    return skipBlock(reading, {
      code: 'missing-mime-type',
      message: `an ${type} block needs a "mimeType", and its first bytes do not tell.`,
      expected: 'string in "mimeType"',
      got: describeValue(mimeType),
    })
  }
  if (known !== mimeType) warnOfMimeType(known, mimeType, reading)
  const isWhole = base64 === data && known === mimeType
  if (isWhole && takeWhole(block, 3, reading)) return block
  const repaired = isWhole ? block : { ...block, data: base64, mimeType: known }
  return readFields(repaired, mediaPlace, reading)
}

function findMimeType(
  { base64, mimeType }: { base64: string; mimeType?: string },
  type: MediaType,
): string | undefined {
  // Forty characters are thirty bytes, more than any signature needs.
  const found = mimeType ?? sniffMimeType(Buffer.from(base64.slice(0, 40), 'base64'))
  return found?.startsWith(`${type}/`) ? found : undefined
}

function warnOfMimeType(known: string, given: unknown, reading: Reading): void {
  warn(reading, {
    code: 'sniffed-mime-type',
    at: '/mimeType',
    message: `The mime type is missing; the data says ${known}.`,
    expected: 'string',
    got: describeValue(given),
  })
}
