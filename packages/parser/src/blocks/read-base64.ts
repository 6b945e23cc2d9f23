import { describeValue, repairBase64 } from '@toolblocks/protocol/internal'
import { type Reading, skipBlock, warn } from '../reading/reading.ts'

const EXPECTED = 'base64 (RFC 4648 section 4, padded)'

/** The valid base64 of a block. */
interface ReadBase64 {
  base64: string
  /** The type in the `data:` URI around it. */
  mimeType?: string
}

/** Checks a block's base64 and repairs it if its meaning is clear; otherwise the block is skipped. */
export function readBase64(text: string, path: string, reading: Reading): ReadBase64 | undefined {
  const repaired = repairBase64(text)
  if (!repaired) {
    return skipBlock(reading, {
      code: 'invalid-base64',
      message: 'its base64 is invalid and cannot be repaired.',
      expected: `${EXPECTED} at ${path}`,
      got: describeValue(text),
    })
  }
  const { repairs, ...read } = repaired
  if (repairs.length === 0) return read
  warn(reading, {
    code: 'repaired-base64',
    at: path,
    message: `The base64 was repaired: ${repairs.join(', ')}.`,
    expected: EXPECTED,
    got: describeValue(text),
  })
  return read
}
