import { decodeHTMLStrict } from 'entities/decode'

/** Returns a table of all bytes, with 1 for the given ones. */
export function getTable(chars: string): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of Buffer.from(chars, 'latin1')) table[byte] = 1
  return table
}

/** First bytes of escapes. */
export const ESCAPES = getTable('\\%&+~')
/** First bytes of line breaks and colour codes. CSI as one character is two bytes. */
export const GAPS = getTable('\n\r\u001b\u00c2')

/** Maps a letter after a backslash to its control character, by their codes. */
export const CONTROLS: ReadonlyMap<number, number> = new Map(
  Array.from('bfnrt', (char, index) => [char.charCodeAt(0), [8, 12, 10, 13, 9][index] ?? 0]),
)

const MAX_NAMES = 4096
const names = new Map<string, readonly number[]>()

/** Returns the code points of a named HTML entity; empty if the name does not exist. */
export function decodeName(name: string): readonly number[] {
  const known = names.get(name)
  if (known) return known
  const decoded = decodeHTMLStrict(`&${name};`)
  const codes =
    decoded === `&${name};` ? [] : Array.from(decoded, (char) => char.codePointAt(0) ?? 0)
  if (names.size >= MAX_NAMES) names.clear()
  names.set(name, codes)
  return codes
}

/** Whether the text of an escape may begin with one of some bytes. This test is cheaper than reading the escape. */
export function mayStandFor(bytes: Uint8Array, at: number, begins: Uint8Array): boolean {
  if (begins[bytes[at] ?? 0] === 1) return true
  const next = bytes[at + 1] ?? 0
  const isOpen = ESCAPES[next] === 1 || GAPS[next] === 1
  switch (bytes[at] ?? 0) {
    case 0x5c: {
      // Three backslashes are one or two, and never another character.
      if (next === 0x5c) return bytes[at + 2] !== 0x5c || bytes[at + 3] !== 0x5c
      if (isOpen || next === 0x78 || next === 0x75) return true
      return begins[CONTROLS.get(next) ?? next] === 1
    }
    case 0x25: {
      const last = bytes[at + 2] ?? 0
      if (isOpen || ESCAPES[last] === 1 || GAPS[last] === 1) return true
      if (!isHexDigit(next) || !isHexDigit(last)) return false
      const byte = (getDigit(next) << 4) | getDigit(last)
      return begins[byte] === 1 || ESCAPES[byte] === 1
    }
    case 0x26:
      return isOpen || next === 0x23 || isAlphanumeric(next)
    case 0x2b:
      return begins[0x20] === 1
    default:
      return begins[0x2f] === 1 || begins[0x7e] === 1
  }
}

/** Returns the value of a hexadecimal digit. */
export const getDigit = (digit: number): number =>
  digit < 0x40 ? digit - 0x30 : (digit & 0x1f) + 9

/** Whether a code is a decimal digit. */
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Whether a code is a hexadecimal digit. */
export const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66)

/** Whether a code is a letter or a digit of ASCII. */
export const isAlphanumeric = (code: number): boolean =>
  isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
