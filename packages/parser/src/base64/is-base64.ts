import { Buffer } from 'node:buffer'

// Decoding in pieces keeps the memory constant; a piece is a whole number of four-character groups, and has fewer bytes.
const PIECE_LENGTH = 64 * 1024
const piece = Buffer.allocUnsafeSlow(PIECE_LENGTH)

// In a string of one-byte characters this cannot match, and V8 answers without looking at them.
const WIDE_CHARACTER = /[^\0-\u00ff]/

/**
 * Says whether a text is base64 exactly as RFC 4648 section 4 writes it: standard alphabet, padded, no white space,
 * unused bits zero. The decoder skips what is not base64, so only a clean text fills every byte its length promises; a
 * length that is no multiple of four promises no whole number of them.
 */
export function isBase64(text: string): boolean {
  if (!hasCleanEnd(text)) return false
  // The decoder also takes the URL alphabet, and reads a wide character by its low byte alone.
  if (text.includes('-') || text.includes('_') || WIDE_CHARACTER.test(text)) return false
  let decoded = 0
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    decoded += piece.write(text.slice(at, at + PIECE_LENGTH), 0, piece.length, 'base64')
  }
  return decoded === (text.length / 4) * 3 - paddingLength(text)
}

function paddingLength(text: string): number {
  if (!text.endsWith('=')) return 0
  return text.endsWith('==') ? 2 : 1
}

/** With padding, the last character may only be one whose unused bits are zero. */
function hasCleanEnd(text: string): boolean {
  switch (paddingLength(text)) {
    case 2:
      return 'AQgw'.includes(text.charAt(text.length - 3))
    case 1:
      return 'AEIMQUYcgkosw048'.includes(text.charAt(text.length - 2))
    default:
      return true
  }
}
