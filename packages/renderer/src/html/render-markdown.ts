import type { SafeHtml } from '@toolblocks/protocol'
import type {
  CodeToken,
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
} from '../show/content-readers.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { NOTHING, encodeHtml, markup, encodePageLine, encodePageText } from './safe-html.ts'
import {
  type HtmlContext,
  countLines,
  renderOmitted,
  renderLines,
  renderScrolled,
} from './html-context.ts'
import { renderLink } from './render-table.ts'

/** Renders Markdown as elements of a page. HTML in it is text, and no picture is fetched. */
export function renderMarkdown(blocks: readonly MarkdownBlock[]): SafeHtml {
  return markup`${blocks.map(renderBlock)}`
}

function renderBlock(block: MarkdownBlock): SafeHtml {
  switch (block.kind) {
    // A tool's heading is not a heading of the page.
    case 'heading':
      return markup`<p class="tb-heading tb-level-${block.level}">${renderInline(block.content)}</p>`
    case 'paragraph':
      return markup`<p>${renderInline(block.content)}</p>`
    case 'code':
      return markup`<tb-code>${renderScrolled(markup`Code`, markup`<pre><code>${renderTokens(block.text, block.tokens)}</code></pre>`, markup`tb-high-40`)}</tb-code>`
    case 'quote':
      return markup`<blockquote>${renderMarkdown(block.blocks)}</blockquote>`
    case 'list': {
      const items = block.items.map(renderItem)
      return block.start === undefined
        ? markup`<ul>${items}</ul>`
        : markup`<ol start="${block.start}">${items}</ol>`
    }
    case 'table': {
      const head = block.columns.map(
        ({ align, content }) =>
          markup`<th scope="col" class="tb-to-${encodeHtml(align)}">${renderInline(content)}</th>`,
      )
      const rows = block.rows.map(
        (row) =>
          markup`<tr>${row.map((cell, index) => markup`<td class="tb-to-${encodeHtml(block.columns[index]?.align ?? 'left')}">${renderInline(cell)}</td>`)}</tr>`,
      )
      const table = markup`<table class="tb-table"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`
      return renderScrolled(markup`Table`, table, markup``)
    }
    case 'rule':
      return markup`<hr>`
  }
}

function renderItem({ isDone, blocks }: MarkdownItem): SafeHtml {
  if (isDone === undefined) return markup`<li>${renderMarkdown(blocks)}</li>`
  return markup`<li class="tb-task">${isDone ? markup`☑` : markup`☐`} ${renderMarkdown(blocks)}</li>`
}

function renderInline(pieces: readonly MarkdownInline[]): SafeHtml {
  return markup`${pieces.map(renderPiece)}`
}

function renderPiece(piece: MarkdownInline): SafeHtml {
  switch (piece.kind) {
    case 'text':
      return encodePageText(piece.text)
    case 'code':
      return markup`<code>${encodePageText(piece.text)}</code>`
    case 'break':
      return markup`<br>`
    case 'strong':
      return markup`<strong>${renderInline(piece.content)}</strong>`
    case 'emphasis':
      return markup`<em>${renderInline(piece.content)}</em>`
    case 'deleted':
      return markup`<del>${renderInline(piece.content)}</del>`
    case 'link':
      return renderLink(piece.uri, renderInline(piece.content))
    case 'image':
      return markup`<span class="tb-image">[image: ${renderLink(piece.uri, encodePageLine(piece.text || piece.uri))}]</span>`
  }
}

/** Renders the content of a file, with highlighted tokens if known, and a copy button. */
export function renderCode(
  code: Extract<ShownPart, { kind: 'code' }>,
  { tallText }: Pick<HtmlContext, 'tallText'>,
): SafeHtml {
  const { first, left, last, tokens, language } = code
  const end = last === '' ? NOTHING : renderPre(last, tokens?.last)
  const body = markup`${renderPre(first, tokens?.first)}${renderOmitted(left, 'line')}${end}`
  const label = language === undefined ? markup`Code` : markup`Code, ${encodePageLine(language)}`
  return markup`<tb-code>${renderLines(label, body, { lines: countLines(first, last), tallText })}</tb-code>`
}

/** Renders code in one line or several. */
function renderTokens(text: string, tokens: readonly CodeToken[] | undefined): SafeHtml {
  if (!tokens || tokens.length === 0) return encodePageText(text)
  return markup`${tokens.map((token) =>
    token.role === 'plain'
      ? encodePageText(token.text)
      : markup`<span class="tb-code-${encodePageLine(token.role)}">${encodePageText(token.text)}</span>`,
  )}`
}

function renderPre(text: string, tokens: readonly CodeToken[] | undefined): SafeHtml {
  return markup`<pre><code>${renderTokens(text, tokens)}</code></pre>`
}
