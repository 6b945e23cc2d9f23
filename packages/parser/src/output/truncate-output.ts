import { type Problem } from '@toolblocks/protocol'
import {
  countBytes,
  takeCodeUnits,
  MAX_CONTENT_BLOCKS,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_OUTPUT_BYTES,
} from '@toolblocks/protocol/internal'
import type { OutputLimit, OutputTruncation, WarningCode } from '../reading/reading.ts'

/** Length that is kept at each end, in bytes or characters: 8 KiB. */
const END_LENGTH = 8 * 1024

/** The description of each limit. */
export const allowance: Readonly<Record<OutputLimit, string>> = {
  bytes: `${MAX_OUTPUT_BYTES} bytes`,
  depth: `${MAX_JSON_DEPTH} levels of nesting`,
  nodes: `${MAX_JSON_NODES} values`,
  blocks: `${MAX_CONTENT_BLOCKS} blocks`,
}

type Encoding = 'utf-8' | NonNullable<ReturnType<typeof utf16Label>>

interface Ends {
  head: string
  tail: string
  bytes: number
  kept: number
}

/** Keeps the beginning and end of an output over a limit, with a line between them that says so. */
export function truncateOutput(
  output: string | Uint8Array,
  reason: OutputLimit,
): { text: string; truncated: OutputTruncation } {
  const { head, tail, bytes, kept } =
    typeof output === 'string' ? endsOfText(output) : endsOfBytes(output)
  const note =
    kept === bytes
      ? `[Not read as blocks: the output has more than ${allowance[reason]}.]`
      : `[… ${bytes - kept} of ${bytes} bytes omitted: the output has more than ${allowance[reason]}. …]`
  return {
    text: tail === '' ? `${head}\n${note}` : `${head}\n${note}\n${tail}`,
    truncated: { bytes, kept, reason },
  }
}

function endsOfText(text: string): Ends {
  const bytes = countBytes(text)
  if (text.length <= 2 * END_LENGTH) return { head: text, tail: '', bytes, kept: bytes }
  // Half of a surrogate pair is removed.
  const head = takeCodeUnits(text, END_LENGTH)
  const tail = text.slice(-END_LENGTH).replace(/^[\uDC00-\uDFFF]/, '')
  return { head, tail, bytes, kept: countBytes(head) + countBytes(tail) }
}

function endsOfBytes(bytes: Uint8Array): Ends {
  const encoding = utf16Label(bytes) ?? 'utf-8'
  const headEnd = characterStart(bytes, END_LENGTH, encoding)
  const tailStart = characterStart(bytes, bytes.length - END_LENGTH, encoding)
  return {
    head: decodeOutput(bytes.subarray(0, headEnd)).text,
    tail: new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes.subarray(tailStart)),
    bytes: bytes.length,
    kept: headEnd + bytes.length - tailStart,
  }
}

/** Returns the start of the character that a byte belongs to; the byte itself if the bytes are not text. */
function characterStart(bytes: Uint8Array, offset: number, encoding: Encoding): number {
  if (encoding === 'utf-8') {
    const starts = [offset, offset - 1, offset - 2, offset - 3]
    return starts.find((start) => !isContinuation(bytes[start])) ?? offset
  }
  const unit = offset - (offset % 2)
  const high = bytes[encoding === 'utf-16le' ? unit + 1 : unit] ?? 0
  const isLowSurrogate = (high & 0b1111_1100) === 0b1101_1100
  return isLowSurrogate ? unit - 2 : unit
}

function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

/** Decodes a tool's output: UTF-8, or UTF-16 if a byte order mark says so. The byte order mark is removed. Invalid UTF-8 becomes U+FFFD. */
export function decodeOutput(bytes: Uint8Array): {
  text: string
  warnings: Problem<WarningCode>[]
} {
  const utf16 = utf16Label(bytes)
  if (utf16) {
    const message = 'The output is UTF-16 and was converted; print UTF-8.'
    return {
      text: new TextDecoder(utf16).decode(bytes),
      warnings: [problem('utf-16', message, 'UTF-16')],
    }
  }
  const text = new TextDecoder().decode(bytes)
  if (isUtf8(bytes, text)) return { text, warnings: [] }
  const message = 'The output is not UTF-8; invalid bytes became U+FFFD.'
  return { text, warnings: [problem('invalid-utf-8', message, 'other bytes')] }
}

/** Whether bytes are UTF-8. Decoded text without U+FFFD proves it; otherwise U+FFFD may come from the tool or from the decoder. */
function isUtf8(bytes: Uint8Array, decoded: string): boolean {
  if (!decoded.includes('\uFFFD')) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Returns the label of the UTF-16 encoding that a byte order mark announces. */
function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function problem(code: WarningCode, message: string, got: string): Problem<WarningCode> {
  return { path: '', message, expected: 'UTF-8', got, code }
}
