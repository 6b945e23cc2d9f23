const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/** Blanks of JSON, and NUL, with which a crash fills the end of a file. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0
}

/** The first place from `start` that is neither blank nor a comma. */
export function skipBlanks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && (isBlank(bytes[at]) || bytes[at] === COMMA)) at += 1
  return at
}

/** The bytes between two places without the blanks at both ends. */
export function trimBlanks(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let [from, to] = [start, end]
  while (from < to && isBlank(bytes[from])) from += 1
  while (to > from && isBlank(bytes[to - 1])) to -= 1
  return bytes.subarray(from, to)
}

/** Where the JSON value at `start` ends; -1 where the bytes end before it does. Only its brackets and quotes are looked at. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return endOfString(bytes, start)
  if (!isOpening(first)) return endOfScalar(bytes, start)
  let depth = 0
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = endOfString(bytes, at)
      if (end === -1) return -1
      at = end - 1
    } else if (isOpening(byte)) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x7b || byte === 0x5b
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0
    // It ends at the first quote at the latest.
    while (bytes[at - slashes - 1] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return -1
}

function endOfScalar(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === COMMA || byte === 0x7d || byte === 0x5d || isBlank(byte)) return at
  }
  return -1
}
