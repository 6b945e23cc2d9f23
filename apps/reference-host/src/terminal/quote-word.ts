/** Quotes a word for a shell, if it has characters that a shell could read as something else. */
export function quoteWord(word: string): string {
  return /^[\w=./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
