// `Buffer` is the global, because the index of this package imports no other module. Works like `bytes.ts`, up to ten times as fast.

/** Returns the length in UTF-8 bytes. An unpaired surrogate counts as three, because it is written as U+FFFD. */
export function countBytes(text: string): number {
  return Buffer.byteLength(text)
}

/** Decodes base64 to bytes. White space is skipped. The result for text that is not base64 is not specified. */
export function decodeBase64(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64')
}
