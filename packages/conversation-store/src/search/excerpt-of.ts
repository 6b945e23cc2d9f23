/** Characters on each side of the first word that was found. */
const AROUND = 60

/** The first of some words with what stands around it, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1)
  const at = places.length === 0 ? 0 : Math.min(...places)
  const from = Math.max(0, at - AROUND)
  const to = Math.min(text.length, at + 2 * AROUND)
  const part = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
