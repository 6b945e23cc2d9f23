const WORD = /[\p{L}\p{N}]+/gu

/** Returns the different words of a text, in lower case: those that a search looks for. */
export function findWords(text: string): ReadonlySet<string> {
  return new Set(text.match(WORD)?.map((word) => word.toLowerCase()))
}

/** Splits a text at the places that have one of the words, which are in lower case. The parts together are the text. */
export function splitAtWords(
  text: string,
  terms: ReadonlySet<string>,
): readonly { text: string; isWord: boolean }[] {
  const parts: { text: string; isWord: boolean }[] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!terms.has(word.toLowerCase())) continue
    if (index > end) parts.push({ text: text.slice(end, index), isWord: false })
    parts.push({ text: word, isWord: true })
    end = index + word.length
  }
  return end < text.length ? [...parts, { text: text.slice(end), isWord: false }] : parts
}
