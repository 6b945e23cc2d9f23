import { Buffer } from 'node:buffer'
import {
  MAX_CONTENT_BLOCKS,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_OUTPUT_BYTES,
} from '@toolblocks/protocol'
import type { Truncation } from '../parsed-result.ts'
import type { Limit } from '../reading.ts'
import { decodeOutput, utf16Label } from './decode-output.ts'

/** What is kept at each end, in bytes or characters: 8 KiB. */
const endLength = 8 * 1024

/** What an output over each limit is. */
export const excess: Readonly<Record<Limit, string>> = {
  bytes: `larger than ${MAX_OUTPUT_BYTES} bytes`,
  depth: `nested deeper than ${MAX_JSON_DEPTH} levels`,
  nodes: `of more than ${MAX_JSON_NODES} values`,
  blocks: `of more than ${MAX_CONTENT_BLOCKS} blocks`,
}

/** What is left of an output over a limit. */
interface TruncatedOutput {
  text: string
  truncated: Truncation
}

interface Ends {
  head: string
  tail: string
  bytes: number
  kept: number
}

/** Keeps the head and tail of an output over a limit, with a line between them that says so. */
export function truncateOutput(output: string | Uint8Array, reason: Limit): TruncatedOutput {
  const { head, tail, bytes, kept } =
    typeof output === 'string' ? endsOfText(output) : endsOfBytes(output)
  const note =
    kept === bytes
      ? `[Not read as blocks: the output is ${excess[reason]}.]`
      : `[… ${bytes - kept} of ${bytes} bytes left out: the output is ${excess[reason]}. …]`
  return {
    text: tail === '' ? `${head}\n${note}` : `${head}\n${note}\n${tail}`,
    truncated: { bytes, kept, reason },
  }
}

function endsOfText(text: string): Ends {
  const bytes = Buffer.byteLength(text)
  if (text.length <= 2 * endLength) return { head: text, tail: '', bytes, kept: bytes }
  // Half a surrogate pair is left out with its other half.
  const head = text.slice(0, endLength).replace(/[\uD800-\uDBFF]$/, '')
  const tail = text.slice(-endLength).replace(/^[\uDC00-\uDFFF]/, '')
  return { head, tail, bytes, kept: Buffer.byteLength(head) + Buffer.byteLength(tail) }
}

function endsOfBytes(bytes: Uint8Array): Ends {
  const start = bytes.length - endLength
  const utf16 = utf16Label(bytes)
  const [headEnd, tailStart] = utf16
    ? [endLength, start + (start % 2)]
    : [characterStart(bytes, endLength), nextCharacterStart(bytes, start)]
  const tail = bytes.subarray(tailStart)
  return {
    head: decodeOutput(bytes.subarray(0, headEnd)).text,
    tail: new TextDecoder(utf16 ?? 'utf-8', { ignoreBOM: true }).decode(tail),
    bytes: bytes.length,
    kept: headEnd + tail.length,
  }
}

/** The start of the UTF-8 character that a byte belongs to. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > at - 3 && isContinuation(bytes[start])) start -= 1
  return isContinuation(bytes[start]) ? at : start
}

function nextCharacterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start < at + 3 && isContinuation(bytes[start])) start += 1
  return isContinuation(bytes[start]) ? at : start
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
