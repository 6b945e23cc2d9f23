import type { SafeHtml } from '@toolblocks/protocol'
import type { CodeToken } from '../../show/content-readers.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import { pageLine, pageText } from '../page-text.ts'
import { html, NOTHING } from '../safe-html.ts'
import { writeLeft, writeScrolled } from './write-context.ts'

/** The content of a file, its pieces marked where a highlighter knew them, and a button to copy it. */
export function writeCode(code: Extract<ShownPart, { kind: 'code' }>): SafeHtml {
  const { first, left, last, tokens, language } = code
  const end = last === '' ? NOTHING : preOf(last, tokens?.last)
  const body = html`${preOf(first, tokens?.first)}${writeLeft(left, 'line')}${end}`
  const label = language === undefined ? html`Code` : html`Code, ${pageLine(language)}`
  return html`<tb-code>${writeScrolled(label, body, html`tb-high-40`)}</tb-code>`
}

/** Code in a page, in one line or several. */
export function writeTokens(text: string, tokens: readonly CodeToken[] | undefined): SafeHtml {
  if (!tokens || tokens.length === 0) return pageText(text)
  return html`${tokens.map((token) =>
    token.role === 'plain'
      ? pageText(token.text)
      : html`<span class="tb-code-${pageLine(token.role)}">${pageText(token.text)}</span>`,
  )}`
}

function preOf(text: string, tokens: readonly CodeToken[] | undefined): SafeHtml {
  return html`<pre><code>${writeTokens(text, tokens)}</code></pre>`
}
