const LONGEST_LINE = 120
const ABBREVIATION = /(?:^|[ (])(?:e\.g|i\.e|etc|vs|cf|approx|incl)\.$/i

/**
 * Gives the first sentence of a text that is longer than one line of 120 characters; `undefined` for a text that is
 * short, or has only one sentence.
 */
export function firstSentence(text: string): string | undefined {
  const whole = text.trim()
  if (!whole.includes('\n') && whole.length <= LONGEST_LINE) return undefined
  const paragraph = (whole.split(/\n\s*\n/, 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim()
  for (const { index } of paragraph.matchAll(/[.!?](?= )/g)) {
    const sentence = paragraph.slice(0, index + 1)
    if (!ABBREVIATION.test(sentence.slice(-9))) return sentence
  }
  return paragraph.length < whole.length ? paragraph : undefined
}
