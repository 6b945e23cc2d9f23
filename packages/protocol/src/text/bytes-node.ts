// `Buffer` is the global: the index of this package imports no other module. It does what `bytes.ts` does, up to ten times as fast.

/** Length in bytes of UTF-8; half a surrogate pair that stands alone counts as three, as it is written as U+FFFD. */
export function countBytes(text: string): number {
  return Buffer.byteLength(text)
}

/** Decodes base64 to bytes. White space is passed over; the result for a text that is not base64 is not specified. */
export function decodeBase64(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64')
}
