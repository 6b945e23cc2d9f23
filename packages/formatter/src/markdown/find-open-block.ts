/** The block that a Markdown text leaves open at its end. */
export type OpenBlock =
  | { kind: 'none' }
  /** `end` is the line that closes it. */
  | { kind: 'code' | 'html'; end: string }
  /** It depends on where lists end, in this text or one before it, or on whether a tag is complete. */
  | { kind: 'unknown' }

/** A line that may open or close a block of code or HTML. */
const CANDIDATE =
  /(?:^|[\r\n])(?<indent> {0,3})(?:(?<fence>`{3,}|~{3,})(?<info>[^\r\n]*)|(?<html><[A-Za-z/!?][^\r\n]{0,9}))/g
const BLANK_LINE = /(?:\n|\r(?!\n))[ \t]*[\r\n]/

/** HTML that ends with a line that has its own mark (CommonMark 0.31, §4.6); other HTML ends at an empty line. */
const MARKED_HTML = [
  {
    start: /^<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/i,
    mark: /<\/(?:script|pre|style|textarea)>/i,
    end: '</pre>',
  },
  { start: /^<!--/, mark: /-->/, end: '-->' },
  { start: /^<\?/, mark: /\?>/, end: '?>' },
  { start: /^<![A-Za-z]/, mark: />/, end: '>' },
  { start: /^<!\[CDATA\[/, mark: /\]\]>/, end: ']]>' },
]
/** Parsers disagree whether other white space ends the name of a tag. */
const ODD_TAG = /^<[a-z]+[^\S \t\r\n]/i

/**
 * Finds what a text leaves open, in one pass over the lines that could open or close a block. A fence at the margin always ends
 * lists and quotations, so that those matter only where such a line is indented.
 */
export function findOpenBlock(text: string): OpenBlock {
  let code: string | undefined
  let endOfHtml = 0
  let otherHtml: number | undefined
  for (const { index, groups = {} } of text.matchAll(CANDIDATE)) {
    const { indent, fence, info = '', html } = groups
    if (index < endOfHtml) continue
    if (code !== undefined) {
      if (fence?.startsWith(code) && /^[ \t]*$/.test(info)) code = undefined
      continue
    }
    const marked =
      html === undefined ? undefined : MARKED_HTML.find(({ start }) => start.test(html))
    if (html !== undefined && marked === undefined) {
      if (ODD_TAG.test(html)) return { kind: 'unknown' }
      otherHtml = index
      continue
    }
    // A backtick behind backticks makes them inline code.
    if (fence?.startsWith('`') && info.includes('`')) continue
    const isInHtml = otherHtml !== undefined && !BLANK_LINE.test(text.slice(otherHtml, index + 1))
    if (isInHtml || indent !== '') return { kind: 'unknown' }
    otherHtml = undefined
    code = fence
    if (marked === undefined) continue
    const mark = text.slice(index).search(marked.mark)
    if (mark === -1) return { kind: 'html', end: marked.end }
    endOfHtml = index + mark
  }
  return code === undefined ? { kind: 'none' } : { kind: 'code', end: code }
}
