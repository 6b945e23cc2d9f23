/** The first so many UTF-16 code units of a text, without half a character at the end. */
export function firstUnits(text: string, count: number): string {
  if (text.length <= count) return text
  const last = text.charCodeAt(count - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? count - 1 : count)
}

/** Length in characters: a surrogate pair is one. */
export function countCharacters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count += 1
  }
  return count
}
