import { takeCodeUnits } from './characters.ts'

const encoder = new TextEncoder()

/** UTF-16 code units that are encoded at a time, each to at most three bytes. */
const PIECE_LENGTH = 8 * 1024
const encoded = new Uint8Array(3 * PIECE_LENGTH)

/** Returns the length in UTF-8 bytes. An unpaired surrogate counts as three, because it is written as U+FFFD. */
export function countBytes(text: string): number {
  let count = 0
  // Pieces keep the memory constant. Browsers copy the complete text before they encode a part of it.
  for (let offset = 0; offset < text.length;) {
    const piece = takeCodeUnits(text.slice(offset, offset + PIECE_LENGTH + 1), PIECE_LENGTH)
    count += encoder.encodeInto(piece, encoded).written
    offset += piece.length
  }
  return count
}

/** Decodes base64 to bytes, also of the URL alphabet (RFC 4648 section 5). White space is skipped. The result for text that is not base64 is not specified. */
export function decodeBase64(base64: string): Uint8Array {
  try {
    const text = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}
