import { MAX_MESSAGE_BYTES } from '@toolblocks/protocol/internal'

const NEWLINE = 0x0a
/** Programs of Windows may write a byte order mark before their first line. */
const MARK = '\uFEFF'

/** Takes the next bytes; `rest` returns the begin of a line that has no end yet. */
type LineReader = ((chunk: Uint8Array) => boolean) & { rest(): string }

/**
 * Cuts a stream of bytes into lines, in linear time for chunks of any size. Passes each complete line without its end, and `false` if a line is
 * longer than the limit; after that there are no more lines. A byte order mark before the first line is removed.
 */
export function createLineReader(
  onLine: (line: string) => void,
  limit: number = MAX_MESSAGE_BYTES,
): LineReader {
  let parts: Uint8Array[] = []
  let size = 0
  let isOver = false
  let isFirst = true

  function keep(part: Uint8Array): void {
    if (part.length === 0) return
    parts.push(part)
    size += part.length
  }

  function read(chunk: Uint8Array): boolean {
    if (isOver) return false
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      start = end + 1
      if (size > limit) break
      const line = rest()
      parts = []
      size = 0
      onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
      isFirst = false
    }
    if (size <= limit) keep(chunk.subarray(start))
    isOver = size > limit
    if (isOver) parts = []
    return !isOver
  }

  function rest(): string {
    const text = Buffer.concat(parts, size).toString('utf8')
    return isFirst && text.startsWith(MARK) ? text.slice(MARK.length) : text
  }

  return Object.assign(read, { rest })
}
