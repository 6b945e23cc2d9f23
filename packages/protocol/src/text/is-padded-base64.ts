import { paddingLength } from './padding-length.ts'

const OTHER_CHARACTER = /[^A-Za-z0-9+/]/

/** Whether a text is base64 with the standard alphabet and the padding of RFC 4648 section 4. Unused bits of the last character may be set. */
export function isPaddedBase64(text: string): boolean {
  return (
    text.length % 4 === 0 && !OTHER_CHARACTER.test(text.slice(0, text.length - paddingLength(text)))
  )
}
