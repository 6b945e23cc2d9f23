/** A string of JSON without its quotation marks, or a number. */
export interface Token {
  start: number
  end: number
  kind: 'string' | 'number'
}

/** A string of JSON as it is read. */
export interface JsonString {
  /** UTF-8. Half of a surrogate pair is U+FFFD. */
  bytes: Uint8Array
  /** Where each byte comes from; absent where nothing is escaped. */
  starts?: Uint32Array
}

const [QUOTE, BACKSLASH, MINUS] = [0x22, 0x5c, 0x2d]
const NUMBER = new Set(Array.from('+-.0123456789Ee', (char) => char.charCodeAt(0)))
const SHORT: ReadonlyMap<number, number> = new Map(
  Array.from('bfnrt', (char, index) => [char.charCodeAt(0), [8, 12, 10, 13, 9][index] ?? 0]),
)

/** Strings and numbers of JSON, in their order. */
export function* readTokens(json: Uint8Array): Generator<Token> {
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) {
      const start = at + 1
      for (at = start; at < json.length && json[at] !== QUOTE; at++)
        if (json[at] === BACKSLASH) at += 1
      yield { start, end: Math.min(at, json.length), kind: 'string' }
    } else if (byte === MINUS || (byte >= 0x30 && byte <= 0x39)) {
      const start = at
      while (NUMBER.has(json[at + 1] ?? 0)) at += 1
      yield { start, end: at + 1, kind: 'number' }
    }
  }
}

/** Reads a string that stands without its quotation marks. */
export function readJsonString(written: Uint8Array): JsonString {
  if (!written.includes(BACKSLASH)) return { bytes: written }
  const bytes = new Uint8Array(written.length)
  const starts = new Uint32Array(written.length + 1)
  let length = 0
  const put = (from: number, ...added: readonly number[]): void => {
    for (const byte of added) {
      bytes[length] = byte
      starts[length] = from
      length += 1
    }
  }
  for (let at = 0; at < written.length;) {
    const byte = written[at] ?? 0
    const next = written[at + 1] ?? 0
    if (byte !== BACKSLASH) put(at++, byte)
    else if (next !== 0x75) {
      put(at, SHORT.get(next) ?? next)
      at += 2
    } else {
      const pair = (unitAt(written, at) << 16) | unitAt(written, at + 6)
      const isPair = (pair & 0xfc00_fc00) >>> 0 === 0xd800_dc00
      const units = isPair ? [pair >>> 16, pair & 0xffff] : [pair >>> 16]
      put(at, ...Buffer.from(String.fromCharCode(...units)))
      at += 6 * units.length
    }
  }
  starts[length] = written.length
  return { bytes: bytes.subarray(0, length), starts: starts.subarray(0, length + 1) }
}

function unitAt(written: Uint8Array, at: number): number {
  if (written[at] !== BACKSLASH || written[at + 1] !== 0x75) return 0
  return Number.parseInt(String.fromCharCode(...written.subarray(at + 2, at + 6)), 16)
}
