import type { SafeHtml } from '@toolblocks/protocol'
import type { CodeToken } from '../../show/context/content-readers.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import { pageLine, pageText } from '../page-text.ts'
import { markup, NOTHING } from '../safe-html.ts'
import { countLines, type HtmlContext, writeLeft, writeLines } from './write-context.ts'

/** The content of a file, its pieces marked where a highlighter knew them, and a button to copy it. */
export function writeCode(
  code: Extract<ShownPart, { kind: 'code' }>,
  { tallText }: Pick<HtmlContext, 'tallText'>,
): SafeHtml {
  const { first, left, last, tokens, language } = code
  const end = last === '' ? NOTHING : preOf(last, tokens?.last)
  const body = markup`${preOf(first, tokens?.first)}${writeLeft(left, 'line')}${end}`
  const label = language === undefined ? markup`Code` : markup`Code, ${pageLine(language)}`
  return markup`<tb-code>${writeLines(label, body, { lines: countLines(first, last), tallText })}</tb-code>`
}

/** Code in a page, in one line or several. */
export function writeTokens(text: string, tokens: readonly CodeToken[] | undefined): SafeHtml {
  if (!tokens || tokens.length === 0) return pageText(text)
  return markup`${tokens.map((token) =>
    token.role === 'plain'
      ? pageText(token.text)
      : markup`<span class="tb-code-${pageLine(token.role)}">${pageText(token.text)}</span>`,
  )}`
}

function preOf(text: string, tokens: readonly CodeToken[] | undefined): SafeHtml {
  return markup`<pre><code>${writeTokens(text, tokens)}</code></pre>`
}
