import type { BlobRef } from '@toolblocks/protocol'
import { PassThrough } from 'node:stream'

/** A collected output: all of it, or, above the limit, its first and last bytes and where the complete output was stored. */
export type Output =
  | { readonly isWhole: true; readonly bytes: Uint8Array }
  | {
      readonly isWhole: false
      /** The total number of bytes. */
      readonly byteCount: number
      /** The first and last part of the output. */
      readonly text: string
      /** Present if a store receives the bytes. */
      readonly stored?: Promise<BlobRef>
    }

/** Collects one output in bounded memory. */
interface OutputBuffer {
  /** A returned promise means: stop reading until it settles. It never rejects. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** Must be called once, after the last `write`. */
  finish(): Output
}

/** Receives all bytes of an output, at once or as a stream. */
export type Store = (bytes: AsyncIterable<Uint8Array> | Uint8Array) => Promise<BlobRef>

/** How many bytes of a long output stay readable at each end: 8 KiB. */
const END_BYTES = 8 * 1024

const BLOCK_BYTES = 64 * 1024

/** Keeps up to `limit` bytes. A longer output is streamed to `store`, or only counted. `onOverflow` is called once. */
export function createOutputBuffer(
  limit: number,
  store?: Store,
  onOverflow?: () => void,
): OutputBuffer {
  const blocks = createBlocks()
  let byteCount = 0
  let ends: HeadAndTail | undefined
  let stream: PassThrough | undefined
  let stored: Promise<BlobRef> | undefined

  function write(chunk: Uint8Array): Promise<void> | undefined {
    byteCount += chunk.length
    if (!ends && byteCount > limit) overflow()
    if (!ends) return blocks.add(chunk)
    ends.write(chunk)
    return stream && send(stream, chunk)
  }

  function overflow(): void {
    ends = createHeadAndTail({ head: END_BYTES, tail: END_BYTES })
    onOverflow?.()
    const open = store && new PassThrough()
    for (const block of blocks.take()) {
      ends.write(block)
      open?.write(block)
    }
    if (!open || !store) return
    stream = open
    stored = store(open)
    const stop = (): void => void open.destroy()
    open.on('error', stop)
    stored.then(stop, stop)
  }

  function finish(): Output {
    stream?.end()
    if (!ends) return { isWhole: true, bytes: joinBlocks(blocks.take()) }
    return { isWhole: false, byteCount, text: ends.text(), ...(stored && { stored }) }
  }

  return { write, finish }
}

function joinBlocks(blocks: readonly Uint8Array[]): Uint8Array {
  const [only] = blocks
  return only && blocks.length === 1 ? only : Buffer.concat(blocks)
}

/** Writes a chunk to the stream. A store may close the stream early; the rest is then dropped. */
function send(stream: PassThrough, chunk: Uint8Array): Promise<void> | undefined {
  if (stream.destroyed || stream.write(chunk)) return undefined
  return new Promise((resolve) => {
    function resume(): void {
      stream.off('drain', resume).off('close', resume)
      resolve()
    }
    stream.on('drain', resume).on('close', resume)
  })
}

/** Joins small chunks: a million one-byte buffers would take a hundred bytes each. */
function createBlocks(): { add(chunk: Uint8Array): undefined; take(): Uint8Array[] } {
  let blocks: Uint8Array[] = []
  let open = new Uint8Array(0)
  let used = 0

  function add(chunk: Uint8Array): undefined {
    if (blocks.length === 0 || chunk.length > BLOCK_BYTES / 2) {
      seal()
      blocks.push(chunk)
      return
    }
    if (used + chunk.length > open.length) {
      seal()
      open = new Uint8Array(BLOCK_BYTES)
    }
    open.set(chunk, used)
    used += chunk.length
  }

  function seal(): void {
    if (used > 0) blocks.push(open.subarray(0, used))
    open = new Uint8Array(0)
    used = 0
  }

  function take(): Uint8Array[] {
    seal()
    const taken = blocks
    blocks = []
    return taken
  }

  return { add, take }
}

/** Collects bytes of any length in bounded memory: the first, the last, and the count. */
interface HeadAndTail {
  write(chunk: Uint8Array): void
  /** The kept bytes as text. If bytes were omitted, one line in the middle says how many. */
  text(): string
}

/** Keeps the first `head` and the last `tail` bytes of what is written. */
export function createHeadAndTail(limits: { head: number; tail: number }): HeadAndTail {
  const head: Uint8Array[] = []
  let ring = new Uint8Array(0)
  let headBytes = 0
  let tailBytes = 0

  function write(chunk: Uint8Array): void {
    const room = limits.head - headBytes
    if (room > 0) {
      const part = chunk.subarray(0, room)
      head.push(part)
      headBytes += part.length
    }
    if (chunk.length > room) writeTail(chunk.subarray(room))
  }

  function writeTail(chunk: Uint8Array): void {
    if (ring.length === 0) ring = new Uint8Array(limits.tail)
    const part = chunk.subarray(Math.max(0, chunk.length - ring.length))
    const position = (tailBytes + chunk.length - part.length) % ring.length
    ring.set(part.subarray(0, ring.length - position), position)
    ring.set(part.subarray(ring.length - position), 0)
    tailBytes += chunk.length
  }

  function text(): string {
    if (headBytes === 0) return ''
    const first = Buffer.concat(head)
    if (tailBytes <= ring.length) return decode(Buffer.concat([first, ring.subarray(0, tailBytes)]))
    const position = tailBytes % ring.length
    const last = Buffer.concat([ring.subarray(position), ring.subarray(0, position)])
    const from = first.subarray(0, characterEnd(first))
    const to = last.subarray(characterStart(last))
    const bytes = headBytes + tailBytes
    const note = `[… ${bytes - from.length - to.length} of ${bytes} bytes omitted …]`
    return `${decode(from)}\n${note}\n${decode(to)}`
  }

  return { write, text }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Returns the start of the first complete character, in bytes that may begin inside one. */
function characterStart(bytes: Uint8Array): number {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return start
}

/** Returns the end of the last complete character, in bytes that may end inside one. */
function characterEnd(bytes: Uint8Array): number {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--
  const length = characterLength(bytes[lead] ?? 0)
  return lead + length > bytes.length ? lead : bytes.length
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}
