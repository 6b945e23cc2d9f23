/** Returns the number of padding characters at the end of a base64 text. */
export function paddingLength(text: string): number {
  if (!text.endsWith('=')) return 0
  return text.endsWith('==') ? 2 : 1
}
