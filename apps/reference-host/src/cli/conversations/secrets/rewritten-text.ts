/** A text of which some parts were replaced, and where each of its characters begins in the text before. */
export interface RewrittenText {
  text: string
  /** One position for each character, and one for the end. */
  starts: Uint32Array
}

/** Replaces each part of a text that a pattern finds by one character, or by none. */
export function rewriteText(
  text: string,
  pattern: RegExp,
  rewrite: (part: string) => string,
): RewrittenText {
  const starts = new Uint32Array(text.length + 1)
  const parts: string[] = []
  let length = 0
  let position = 0
  const keepTo = (end: number): void => {
    parts.push(text.slice(position, end))
    while (position < end) starts[length++] = position++
  }
  for (const { index, 0: part } of text.matchAll(pattern)) {
    keepTo(index)
    const character = rewrite(part)
    parts.push(character)
    if (character !== '') starts[length++] = index
    position = index + part.length
  }
  keepTo(text.length)
  starts[length] = text.length
  return { text: parts.join(''), starts: starts.slice(0, length + 1) }
}
