import { describeValue } from '@toolblocks/protocol'
import { isBase64 } from '../base64/is-base64.ts'
import { repairBase64 } from '../base64/repair-base64.ts'
import { type Reading, skipBlock, warn } from '../reading.ts'

const EXPECTED = 'base64 (RFC 4648 section 4, padded)'

/** Base64 of a block, in order. */
interface ReadBase64 {
  base64: string
  /** The type that a `data:` URI around it gave. */
  mimeType?: string
}

/** Checks a block's base64 and repairs it where its meaning is plain; otherwise the block is skipped. */
export function readBase64(text: string, at: string, reading: Reading): ReadBase64 | undefined {
  if (isBase64(text)) return { base64: text }
  const repaired = repairBase64(text)
  if (!repaired) {
    return skipBlock(reading, {
      code: 'invalid-base64',
      message: 'its base64 is broken, and what it should be cannot be told.',
      expected: `${EXPECTED} at ${at}`,
      got: describeValue(text),
    })
  }
  const { repairs, ...read } = repaired
  const done = repairs.join(', ')
  warn(reading, {
    code: 'repaired-base64',
    at,
    message: `The base64 was repaired: ${done}.`,
    expected: EXPECTED,
    got: describeValue(text),
  })
  return read
}
