import type { SafeHtml } from '@toolblocks/protocol'
import type { MarkdownBlock, MarkdownInline, MarkdownItem } from '../../show/content-readers.ts'
import { pageLine, pageText } from '../page-text.ts'
import { encodeHtml, html } from '../safe-html.ts'
import { writeTokens } from './write-code.ts'
import { writeScrolled } from './write-context.ts'
import { writeLink } from './write-table.ts'

/** Markdown as elements of a page: HTML in it is text, and no picture is fetched. */
export function writeMarkdown(blocks: readonly MarkdownBlock[]): SafeHtml {
  return html`${blocks.map(writeBlock)}`
}

function writeBlock(block: MarkdownBlock): SafeHtml {
  switch (block.kind) {
    // A heading of a tool is none of the page.
    case 'heading':
      return html`<p class="tb-heading tb-level-${block.level}">${writeInline(block.content)}</p>`
    case 'paragraph':
      return html`<p>${writeInline(block.content)}</p>`
    case 'code':
      return html`<tb-code
        >${writeScrolled(html`Code`, html`<pre><code>${writeTokens(block.text, block.tokens)}</code></pre>`, html`tb-high-40`)}</tb-code
      >`
    case 'quote':
      return html`<blockquote>${writeMarkdown(block.blocks)}</blockquote>`
    case 'list': {
      const items = block.items.map(writeItem)
      return block.start === undefined
        ? html`<ul>
            ${items}
          </ul>`
        : html`<ol start="${block.start}">
            ${items}
          </ol>`
    }
    case 'table': {
      const head = block.columns.map(
        ({ align, content }) =>
          html`<th scope="col" class="tb-${encodeHtml(align)}">${writeInline(content)}</th>`,
      )
      const rows = block.rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, index) => html`<td class="tb-${encodeHtml(block.columns[index]?.align ?? 'left')}">${writeInline(cell)}</td>`)}
          </tr>`,
      )
      const table = html`<table class="tb-table">
        <thead>
          <tr>
            ${head}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>`
      return writeScrolled(html`Table`, table, html``)
    }
    case 'rule':
      return html`<hr />`
  }
}

function writeItem({ isDone, blocks }: MarkdownItem): SafeHtml {
  if (isDone === undefined) return html`<li>${writeMarkdown(blocks)}</li>`
  return html`<li class="tb-task">${isDone ? html`☑` : html`☐`} ${writeMarkdown(blocks)}</li>`
}

function writeInline(pieces: readonly MarkdownInline[]): SafeHtml {
  return html`${pieces.map(writePiece)}`
}

function writePiece(piece: MarkdownInline): SafeHtml {
  switch (piece.kind) {
    case 'text':
      return pageText(piece.text)
    case 'code':
      return html`<code>${pageText(piece.text)}</code>`
    case 'break':
      return html`<br />`
    case 'strong':
      return html`<strong>${writeInline(piece.content)}</strong>`
    case 'emphasis':
      return html`<em>${writeInline(piece.content)}</em>`
    case 'deleted':
      return html`<del>${writeInline(piece.content)}</del>`
    case 'link':
      return writeLink(piece.uri, writeInline(piece.content))
    case 'image':
      return html`<span class="tb-image"
        >[image: ${writeLink(piece.uri, pageLine(piece.text || piece.uri))}]</span
      >`
  }
}
