/** How many characters of padding a text in base64 ends with. */
export function paddingLength(text: string): number {
  if (!text.endsWith('=')) return 0
  return text.endsWith('==') ? 2 : 1
}
