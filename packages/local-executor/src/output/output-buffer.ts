import type { BlobRef } from '@toolblocks/protocol'
import { PassThrough } from 'node:stream'

/** What came of an output: all of it, or, above the limit, its ends and where the whole went. */
export type Output =
  | { readonly isWhole: true; readonly bytes: Uint8Array }
  | {
      readonly isWhole: false
      /** How many bytes came in all. */
      readonly byteCount: number
      /** The first and the last of it. */
      readonly text: string
      /** Present where a store takes the bytes. */
      readonly stored?: Promise<BlobRef>
    }

/** Collects one output in bounded memory. */
interface OutputBuffer {
  /** A promise asks to stop reading until it settles. It never rejects. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** To be called once, after the last `write`. */
  finish(): Output
}

/** Takes all bytes of an output, at once or as they come. */
export type Store = (bytes: AsyncIterable<Uint8Array> | Uint8Array) => Promise<BlobRef>

/** How much of a long output stays readable, in bytes at each end: 8 KiB. */
const END_BYTES = 8 * 1024

const BLOCK_BYTES = 64 * 1024

/** Keeps up to `limit` bytes; what is longer goes through `store` as it comes, or is only counted. `onOverflow` is called once. */
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
    if (!ends) return { isWhole: true, bytes: joined(blocks.take()) }
    return { isWhole: false, byteCount, text: ends.text(), ...(stored && { stored }) }
  }

  return { write, finish }
}

function joined(blocks: readonly Uint8Array[]): Uint8Array {
  const [only] = blocks
  return only && blocks.length === 1 ? only : Buffer.concat(blocks)
}

/** Hands a chunk on; a store that has seen enough has closed the stream, and the rest is dropped. */
function send(stream: PassThrough, chunk: Uint8Array): Promise<void> | undefined {
  if (stream.destroyed || stream.write(chunk)) return undefined
  return new Promise((resolve) => {
    function go(): void {
      stream.off('drain', go).off('close', go)
      resolve()
    }
    stream.on('drain', go).on('close', go)
  })
}

/** Chunks, with small ones copied together: a million one-byte buffers would take a hundred bytes each. */
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

/** Collects bytes of any length in bounded memory: the first, the last, and how many there were. */
interface HeadAndTail {
  write(chunk: Uint8Array): void
  /** What was kept as text; where bytes were left out, one line in the middle says how many. */
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
    const at = (tailBytes + chunk.length - part.length) % ring.length
    ring.set(part.subarray(0, ring.length - at), at)
    ring.set(part.subarray(ring.length - at), 0)
    tailBytes += chunk.length
  }

  function text(): string {
    if (headBytes === 0) return ''
    const first = Buffer.concat(head)
    if (tailBytes <= ring.length) return decode(Buffer.concat([first, ring.subarray(0, tailBytes)]))
    const at = tailBytes % ring.length
    const last = Buffer.concat([ring.subarray(at), ring.subarray(0, at)])
    const from = first.subarray(0, characterEnd(first))
    const to = last.subarray(characterStart(last))
    const bytes = headBytes + tailBytes
    const note = `[… ${bytes - from.length - to.length} of ${bytes} bytes left out …]`
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

/** Where the first whole character starts, in bytes that may begin inside one. */
function characterStart(bytes: Uint8Array): number {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return start
}

/** Where the last whole character ends, in bytes that may end inside one. */
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
