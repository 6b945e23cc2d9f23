/** Splits bytes into messages. */
interface MessageSplitter {
  write(chunk: Uint8Array): void
  /** Removes and returns all bytes of an unfinished message. */
  rest(): Uint8Array
}

/**
 * How much of a JSON object the bytes so far are: none of them seen, its brace alone, a part, all of it, or bytes that are no object.
 * `tried`: all of an object that is no document.
 */
type Scan = 'empty' | 'brace' | 'open' | 'closed' | 'tried' | 'text'

const LINE_FEED = 10
const QUOTE = 34
const BACKSLASH = 92
const OPENING = new Set([91, 123])
const CLOSING = new Set([93, 125])
const SPACE = new Set([9, 13, 32])
const OPENING_BRACE = 123
const CLOSING_BRACE = 125

/**
 * Splits the output of a live tool into messages: lines of text without their ends, and JSON objects of one line or several. A document
 * is passed on when its last brace has come, also without a line end. A message longer than `limit` bytes is passed in pieces of that size, so that a program that never
 * ends its line cannot fill the memory. `isDocument` says whether an object is a response.
 */
export function splitMessages(
  limit: number,
  isDocument: (message: Uint8Array) => boolean,
  onMessage: (message: Uint8Array) => void,
): MessageSplitter {
  let lines: Uint8Array[] = []
  let line: Uint8Array[] = []
  let size = 0
  let scan: Scan = 'empty'
  let depth = 0
  let isInString = false
  let isEscaped = false

  function take(): Uint8Array {
    const message = join([...lines, ...line])
    lines = []
    line = []
    size = 0
    scan = 'empty'
    depth = 0
    isInString = false
    isEscaped = false
    return message
  }

  function keep(part: Uint8Array): void {
    for (let start = 0; start < part.length;) {
      const piece = part.subarray(start, start + limit - size)
      line.push(piece)
      size += piece.length
      start += piece.length
      for (let index = 0; index < piece.length && scan !== 'text'; index += 1)
        read(piece[index] ?? 0)
      if (size === limit) onMessage(take())
    }
  }

  function read(byte: number): void {
    if (scan === 'open') return readInside(byte)
    if (SPACE.has(byte)) return
    if (scan === 'empty' && byte === OPENING_BRACE) scan = 'brace'
    else if (scan === 'brace' && (byte === QUOTE || byte === CLOSING_BRACE)) {
      scan = 'open'
      depth = 1
      readInside(byte)
    } else scan = 'text'
  }

  function readInside(byte: number): void {
    if (isInString) {
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) {
      depth -= 1
      if (depth === 0) scan = 'closed'
    }
  }

  function endLine(): void {
    // JSON has no line end inside a string.
    if (!(scan === 'brace' || scan === 'open') || isInString) return onMessage(take())
    const own = lines.length > 0 && line[0]?.[0] === OPENING_BRACE ? join(line) : undefined
    if (own && isDocument(own)) {
      line = []
      onMessage(withoutLineEnd(take()))
      return onMessage(own)
    }
    lines.push(...line, Uint8Array.of(LINE_FEED))
    line = []
    size += 1
    if (size >= limit) onMessage(take())
  }

  function passFinishedDocument(): void {
    if (scan !== 'closed') return
    const message = join([...lines, ...line])
    if (isDocument(message)) onMessage(take())
    else scan = 'tried'
  }

  return {
    write: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end))
        endLine()
        start = end + 1
      }
      keep(chunk.subarray(start))
      passFinishedDocument()
    },
    rest: () => withoutLineEnd(take()),
  }
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only, ...more] = parts
  return only && more.length === 0 ? only : Buffer.concat(parts)
}

function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes
}
