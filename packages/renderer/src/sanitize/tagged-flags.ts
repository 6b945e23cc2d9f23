const BLACK_FLAG = '\u{1F3F4}'
/** The only flags that are written so: England, Scotland and Wales. What other tags spell, nobody would see. */
const TAGGED: readonly string[] = ['gbeng', 'gbsct', 'gbwls'].map(
  (place) => `${place.replaceAll(/./g, tagOf)}\u{E007F}`,
)

function tagOf(letter: string): string {
  return String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))
}

/** Whether a text is a tag, or begins with one: a letter without a glyph. */
export function beginsWithTag(text: string): boolean {
  const code = text.codePointAt(0) ?? 0
  return code >= 0xe0020 && code <= 0xe007f
}

/** Whether tags make a flag of what stands before them: `whole`, or only their `beginning`. */
export function flagOf(before: string, tags: string): 'whole' | 'beginning' | 'none' {
  if (!before.endsWith(BLACK_FLAG)) return 'none'
  if (TAGGED.includes(tags)) return 'whole'
  return TAGGED.some((tagged) => tagged.startsWith(tags)) ? 'beginning' : 'none'
}

/** Whether what stands at a place is part of such a flag. */
export function isInFlag(text: string, at: number): boolean {
  const from = Math.max(0, at - 12)
  const flag = text.slice(from, at).lastIndexOf(BLACK_FLAG)
  const start = from + flag + BLACK_FLAG.length
  return (
    flag !== -1 &&
    TAGGED.some((tagged) => text.startsWith(tagged, start) && at < start + tagged.length)
  )
}
