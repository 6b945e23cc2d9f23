import { paddingLength } from './padding-length.ts'

const OTHER_CHARACTER = /[^A-Za-z0-9+/]/

/**
 * Says whether a text has the standard alphabet of base64 and as much padding as RFC 4648 section 4 wants, and nothing else.
 * Bits of the last character that belong to no byte may be set.
 */
export function isPaddedBase64(text: string): boolean {
  return (
    text.length % 4 === 0 && !OTHER_CHARACTER.test(text.slice(0, text.length - paddingLength(text)))
  )
}
