/** Collects bytes of any length in bounded memory: the first, the last, and how many there were. */
export interface HeadAndTail {
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
