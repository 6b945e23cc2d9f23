import { isUtf8 } from 'node:buffer'
import type { Problem } from '@toolblocks/protocol'
import type { WarningCode } from '../warning-code.ts'

/** Text made of bytes, and what was wrong with them. */
interface DecodedOutput {
  text: string
  warnings: Problem<WarningCode>[]
}

/**
 * Decodes what a tool printed: UTF-8, or UTF-16 where a byte order mark says so. A byte order mark is not part of the
 * text; bytes that are no UTF-8 become U+FFFD.
 */
export function decodeOutput(bytes: Uint8Array): DecodedOutput {
  const utf16 = utf16Label(bytes)
  if (utf16) {
    const message = 'The output is UTF-16 and was converted; print UTF-8.'
    return {
      text: new TextDecoder(utf16).decode(bytes),
      warnings: [problem('utf-16', message, 'UTF-16')],
    }
  }
  const text = new TextDecoder().decode(bytes)
  // A detached buffer has no bytes, and asking about it would throw.
  if (bytes.length === 0 || isUtf8(bytes)) return { text, warnings: [] }
  const message = 'The output is not UTF-8; what could not be read became U+FFFD.'
  return { text, warnings: [problem('invalid-utf-8', message, 'other bytes')] }
}

/** The label of the UTF-16 encoding that a byte order mark announces. */
export function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function problem(code: WarningCode, message: string, got: string): Problem<WarningCode> {
  return { path: '', message, expected: 'UTF-8', got, code }
}
