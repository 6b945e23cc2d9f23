import type { SafeHtml } from '@toolblocks/protocol'
import type {
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
} from '../../show/context/content-readers.ts'
import { pageLine, pageText } from '../page-text.ts'
import { encodeHtml, markup } from '../safe-html.ts'
import { writeTokens } from './write-code.ts'
import { writeScrolled } from './write-context.ts'
import { writeLink } from './write-table.ts'

/** Markdown as elements of a page: HTML in it is text, and no picture is fetched. */
export function writeMarkdown(blocks: readonly MarkdownBlock[]): SafeHtml {
  return markup`${blocks.map(writeBlock)}`
}

function writeBlock(block: MarkdownBlock): SafeHtml {
  switch (block.kind) {
    // A heading of a tool is none of the page.
    case 'heading':
      return markup`<p class="tb-heading tb-level-${block.level}">${writeInline(block.content)}</p>`
    case 'paragraph':
      return markup`<p>${writeInline(block.content)}</p>`
    case 'code':
      return markup`<tb-code>${writeScrolled(markup`Code`, markup`<pre><code>${writeTokens(block.text, block.tokens)}</code></pre>`, markup`tb-high-40`)}</tb-code>`
    case 'quote':
      return markup`<blockquote>${writeMarkdown(block.blocks)}</blockquote>`
    case 'list': {
      const items = block.items.map(writeItem)
      return block.start === undefined
        ? markup`<ul>${items}</ul>`
        : markup`<ol start="${block.start}">${items}</ol>`
    }
    case 'table': {
      const head = block.columns.map(
        ({ align, content }) =>
          markup`<th scope="col" class="tb-to-${encodeHtml(align)}">${writeInline(content)}</th>`,
      )
      const rows = block.rows.map(
        (row) =>
          markup`<tr>${row.map((cell, index) => markup`<td class="tb-to-${encodeHtml(block.columns[index]?.align ?? 'left')}">${writeInline(cell)}</td>`)}</tr>`,
      )
      const table = markup`<table class="tb-table"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`
      return writeScrolled(markup`Table`, table, markup``)
    }
    case 'rule':
      return markup`<hr>`
  }
}

function writeItem({ isDone, blocks }: MarkdownItem): SafeHtml {
  if (isDone === undefined) return markup`<li>${writeMarkdown(blocks)}</li>`
  return markup`<li class="tb-task">${isDone ? markup`☑` : markup`☐`} ${writeMarkdown(blocks)}</li>`
}

function writeInline(pieces: readonly MarkdownInline[]): SafeHtml {
  return markup`${pieces.map(writePiece)}`
}

function writePiece(piece: MarkdownInline): SafeHtml {
  switch (piece.kind) {
    case 'text':
      return pageText(piece.text)
    case 'code':
      return markup`<code>${pageText(piece.text)}</code>`
    case 'break':
      return markup`<br>`
    case 'strong':
      return markup`<strong>${writeInline(piece.content)}</strong>`
    case 'emphasis':
      return markup`<em>${writeInline(piece.content)}</em>`
    case 'deleted':
      return markup`<del>${writeInline(piece.content)}</del>`
    case 'link':
      return writeLink(piece.uri, writeInline(piece.content))
    case 'image':
      return markup`<span class="tb-image">[image: ${writeLink(piece.uri, pageLine(piece.text || piece.uri))}]</span>`
  }
}
