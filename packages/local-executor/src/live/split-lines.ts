/** Where lines come out. */
export interface LineSplitter {
  write(chunk: Uint8Array): void
  /** What stands behind the last line end, if anything. */
  rest(): Uint8Array
}

const LINE_FEED = 10

/**
 * Cuts bytes into lines, without their ends. A line longer than `limit` bytes is given in pieces of that size, so that a
 * program that never ends its line cannot fill the memory.
 */
export function splitLines(limit: number, onLine: (line: Uint8Array) => void): LineSplitter {
  let parts: Uint8Array[] = []
  let size = 0

  function take(): Uint8Array {
    const line = parts.length === 1 ? (parts[0] ?? new Uint8Array()) : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }

  function keep(part: Uint8Array): void {
    for (let start = 0; start < part.length;) {
      const piece = part.subarray(start, start + limit - size)
      parts.push(piece)
      size += piece.length
      start += piece.length
      if (size === limit) onLine(take())
    }
  }

  return {
    write: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end))
        onLine(take())
        start = end + 1
      }
      keep(chunk.subarray(start))
    },
    rest: take,
  }
}
