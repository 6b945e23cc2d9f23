const BLANK = '[ \\t\\xA0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000]'
const MORE_LINE_FEEDS = /(?<=\n{3})\n/g

/**
 * Keeps the first so many of blanks in a row, and three of line feeds, so that nothing is pushed out of sight. CRLF becomes LF.
 */
export function collapseBlanks(text: string, kept: number): string {
  // Looking back takes the same few steps for each blank, however many there are.
  const more = new RegExp(`(?<=(?:${BLANK}|\\n){${kept}})${BLANK}`, 'g')
  return text.replaceAll('\r\n', '\n').replaceAll(more, '').replaceAll(MORE_LINE_FEEDS, '')
}
