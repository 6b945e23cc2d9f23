import type { MarkdownBlock, MarkdownInline, MarkdownItem } from '@toolblocks/renderer/internal'
import { sanitizePageLine, sanitizePageText } from '@toolblocks/renderer/internal/html'
import { createElement as h, Fragment, type ReactNode } from 'react'
import { renderLink, renderScrolled } from './basic-elements.ts'
import { renderCode } from './code-element.ts'
import type { PartContext } from './part-context.ts'

/** Markdown as elements. HTML in it is text, and no picture is fetched. */
export function renderMarkdown(
  blocks: readonly MarkdownBlock[],
  context: Pick<PartContext, 'extent'>,
): ReactNode {
  return blocks.map((block, index) => h(Fragment, { key: index }, renderBlock(block, context)))
}

function renderBlock(block: MarkdownBlock, context: Pick<PartContext, 'extent'>): ReactNode {
  switch (block.kind) {
    // A tool's heading is not a heading of the page.
    case 'heading':
      return h(
        'p',
        { className: `tb-heading tb-level-${block.level}` },
        renderInline(block.content),
      )
    case 'paragraph':
      return h('p', null, renderInline(block.content))
    case 'code': {
      const { text, language, tokens } = block
      return renderCode(
        {
          first: text,
          left: 0,
          last: '',
          ...(language !== undefined && { language }),
          ...(tokens && { tokens: { first: tokens, last: [] } }),
        },
        context,
      )
    }
    case 'quote':
      return h('blockquote', null, renderMarkdown(block.blocks, context))
    case 'list': {
      const items = block.items.map((item, index) => renderItem(item, index, context))
      return block.start === undefined
        ? h('ul', null, items)
        : h('ol', { start: block.start }, items)
    }
    case 'table':
      return renderScrolled('Table', renderTable(block), context)
    case 'rule':
      return h('hr')
  }
}

function renderTable(block: Extract<MarkdownBlock, { kind: 'table' }>): ReactNode {
  const head = block.columns.map(({ align, content }, index) =>
    h('th', { key: index, scope: 'col', 'data-align': align }, renderInline(content)),
  )
  const rows = block.rows.map((row, index) =>
    h(
      'tr',
      { key: index },
      row.map((cell, column) =>
        h('td', { key: column, 'data-align': block.columns[column]?.align }, renderInline(cell)),
      ),
    ),
  )
  return h(
    'table',
    { className: 'tb-table' },
    h('thead', null, h('tr', null, head)),
    h('tbody', null, rows),
  )
}

function renderItem(
  { isDone, blocks }: MarkdownItem,
  index: number,
  context: Pick<PartContext, 'extent'>,
): ReactNode {
  if (isDone === undefined) return h('li', { key: index }, renderMarkdown(blocks, context))
  return h(
    'li',
    { key: index, className: 'tb-task' },
    isDone ? '☑ ' : '☐ ',
    renderMarkdown(blocks, context),
  )
}

function renderInline(pieces: readonly MarkdownInline[]): ReactNode {
  return pieces.map((piece, index) => h(Fragment, { key: index }, renderPiece(piece)))
}

function renderPiece(piece: MarkdownInline): ReactNode {
  switch (piece.kind) {
    case 'text':
      return sanitizePageText(piece.text)
    case 'code':
      return h('code', null, sanitizePageText(piece.text))
    case 'break':
      return h('br')
    case 'strong':
      return h('strong', null, renderInline(piece.content))
    case 'emphasis':
      return h('em', null, renderInline(piece.content))
    case 'deleted':
      return h('del', null, renderInline(piece.content))
    case 'link':
      return renderLink(piece.uri, renderInline(piece.content))
    case 'image': {
      const name = sanitizePageLine(piece.text || piece.uri)
      return h('span', { className: 'tb-image' }, '[image: ', renderLink(piece.uri, name), ']')
    }
  }
}
