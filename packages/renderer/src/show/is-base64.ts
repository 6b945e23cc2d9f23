const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** Says whether a text is made of the characters of base64 alone. */
export function isBase64(text: string): boolean {
  return BASE64.test(text)
}
