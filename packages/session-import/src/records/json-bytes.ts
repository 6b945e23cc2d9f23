/** Bytes of JSON. */
export const OPEN = 0x7b
export const OPEN_ARRAY = 0x5b
export const CLOSE_ARRAY = 0x5d
export const COMMA = 0x2c
const CLOSE = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether a byte is a blank of JSON, or NUL, with which a crash fills the end of a file. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0
}

/** Returns the first position from `start` that has neither a blank nor a comma. */
export function skipBlanks(bytes: Uint8Array, start: number): number {
  let position = start
  while (position < bytes.length && (isBlank(bytes[position]) || bytes[position] === COMMA))
    position += 1
  return position
}

/** Returns the bytes between two positions, without the blanks at both ends. */
export function trimBlanks(bytes: Uint8Array, start: number, end: number): Uint8Array {
  let [from, to] = [start, end]
  while (from < to && isBlank(bytes[from])) from += 1
  while (to > from && isBlank(bytes[to - 1])) to -= 1
  return bytes.subarray(from, to)
}

/** Returns the end of the JSON value at `start`; -1 if the bytes end before the value does. Reads only brackets and quotes. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return endOfString(bytes, start)
  if (!isOpening(first)) return endOfScalar(bytes, start)
  let depth = 0
  for (let position = start; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === QUOTE) {
      const end = endOfString(bytes, position)
      if (end === -1) return -1
      position = end - 1
    } else if (isOpening(byte)) depth += 1
    else if (byte === CLOSE || byte === CLOSE_ARRAY) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  return -1
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN || byte === OPEN_ARRAY
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (
    let position = bytes.indexOf(QUOTE, start + 1);
    position !== -1;
    position = bytes.indexOf(QUOTE, position + 1)
  ) {
    let slashes = 0
    // The value ends at the first quote at the latest.
    while (bytes[position - slashes - 1] === BACKSLASH) slashes += 1
    if (slashes % 2 === 0) return position + 1
  }
  return -1
}

function endOfScalar(bytes: Uint8Array, start: number): number {
  for (let position = start; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === COMMA || byte === CLOSE || byte === CLOSE_ARRAY || isBlank(byte)) return position
  }
  return -1
}
