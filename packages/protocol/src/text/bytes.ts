import { takeCodeUnits } from './characters.ts'

const encoder = new TextEncoder()

/** UTF-16 code units that are encoded at a time, each to at most three bytes. */
const PIECE_LENGTH = 8 * 1024
const encoded = new Uint8Array(3 * PIECE_LENGTH)

/** Returns the length in UTF-8 bytes. An unpaired surrogate counts as three, because it is written as U+FFFD. */
export function countBytes(text: string): number {
  let count = 0
  // Pieces keep the memory constant. Browsers copy the complete text before they encode a part of it.
  for (let at = 0; at < text.length;) {
    const piece = takeCodeUnits(text.slice(at, at + PIECE_LENGTH + 1), PIECE_LENGTH)
    count += encoder.encodeInto(piece, encoded).written
    at += piece.length
  }
  return count
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const OTHER = 255

/** The six bits of each character, by its code. The URL alphabet (RFC 4648 section 5) is accepted too. */
const sixBits = new Uint8Array(128).fill(OTHER)
for (let value = 0; value < ALPHABET.length; value += 1) sixBits[ALPHABET.charCodeAt(value)] = value
sixBits['-'.charCodeAt(0)] = 62
sixBits['_'.charCodeAt(0)] = 63

/** Decodes base64 to bytes. White space is skipped. The result for text that is not base64 is not specified. */
export function decodeBase64(base64: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((base64.length * 3) / 4))
  let length = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < base64.length; at += 1) {
    const value = sixBits[base64.charCodeAt(at)] ?? OTHER
    if (value === OTHER) continue
    bits = ((bits << 6) | value) & 0xff_ff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[length] = bits >> count
    length += 1
  }
  return bytes.subarray(0, length)
}
