import type {
  CodeToken,
  MarkdownBlock,
  MarkdownInline,
  MarkdownItem,
} from '../show/content-readers.ts'
import type { PartKind } from '../show/shown-part.ts'
import { createElement as h, type PageChild, type PageElement } from './page-element.ts'
import type { PageWriter } from './page-writer.ts'
import { renderRows } from './render-table.ts'
import { renderLink, renderOmitted } from './render-text.ts'
import { pageText, sanitizePageLine, sanitizePageText } from './safe-html.ts'

/** Renders Markdown as elements of a page. HTML in it is text, and no picture is fetched. */
export function renderMarkdown<Own>(
  blocks: readonly MarkdownBlock[],
  writer: PageWriter<Own>,
): PageChild<Own> {
  return blocks.map((block) => renderBlock(block, writer))
}

function renderBlock<Own>(block: MarkdownBlock, writer: PageWriter<Own>): PageChild<Own> {
  switch (block.kind) {
    // A tool's heading is not a heading of the page.
    case 'heading':
      return h('p', { class: `tb-heading tb-level-${block.level}` }, renderInline(block.content))
    case 'paragraph':
      return h('p', {}, renderInline(block.content))
    case 'code': {
      const { text, language, tokens } = block
      return writer.renderSample({
        first: text,
        left: 0,
        last: '',
        ...(language !== undefined && { language }),
        ...(tokens && { tokens: { first: tokens, last: [] } }),
      })
    }
    case 'quote':
      return h('blockquote', {}, renderMarkdown(block.blocks, writer))
    case 'list': {
      const items = block.items.map((item) => renderItem(item, writer))
      return block.start === undefined ? h('ul', {}, items) : h('ol', { start: block.start }, items)
    }
    case 'table': {
      const { columns } = block
      const head = columns.map(({ align, content }) =>
        h('th', { scope: 'col', ...writer.align(align) }, renderInline(content)),
      )
      const rows = block.rows.map((row) => {
        const cells = row.map((cell, index) =>
          h('td', writer.align(columns[index]?.align), renderInline(cell)),
        )
        return h('tr', {}, cells)
      })
      return writer.renderWide(pageText`Table`, renderRows(head, rows))
    }
    case 'rule':
      return h('hr', {})
  }
}

function renderItem<Own>(
  { isDone, blocks }: MarkdownItem,
  writer: PageWriter<Own>,
): PageElement<Own> {
  const inner = renderMarkdown(blocks, writer)
  if (isDone === undefined) return h('li', {}, inner)
  return h('li', { class: 'tb-task' }, isDone ? pageText`☑ ` : pageText`☐ `, inner)
}

function renderInline(pieces: readonly MarkdownInline[]): PageChild {
  return pieces.map(renderPiece)
}

function renderPiece(piece: MarkdownInline): PageChild {
  switch (piece.kind) {
    case 'text':
      return sanitizePageText(piece.text)
    case 'code':
      return h('code', {}, sanitizePageText(piece.text))
    case 'break':
      return h('br', {})
    case 'strong':
      return h('strong', {}, renderInline(piece.content))
    case 'emphasis':
      return h('em', {}, renderInline(piece.content))
    case 'deleted':
      return h('del', {}, renderInline(piece.content))
    case 'link':
      return renderLink(piece.uri, renderInline(piece.content))
    case 'image': {
      const link = renderLink(piece.uri, sanitizePageLine(piece.text || piece.uri))
      return h('span', { class: 'tb-image' }, pageText`[image: `, link, pageText`]`)
    }
  }
}

/** Renders the content of a file, with highlighted tokens if known, and a copy button. */
export function renderCode<Own>(
  code: Omit<PartKind<'code'>, 'kind'>,
  writer: Pick<PageWriter<Own>, 'renderCode'>,
): PageChild<Own> {
  const { first, left, last, tokens, language } = code
  const label =
    language === undefined ? pageText`Code` : pageText`Code, ${sanitizePageLine(language)}`
  const end = last === '' ? undefined : renderPre(last, tokens?.last)
  const lines = [renderPre(first, tokens?.first), renderOmitted(left, 'line'), end]
  return writer.renderCode(label, lines, code)
}

/** Renders lines of code, with its tokens if they are known. */
export function renderPre(text: string, tokens: readonly CodeToken[] = []): PageElement {
  const pieces = tokens.map((token) => {
    const piece = sanitizePageText(token.text)
    return token.role === 'plain' ? piece : h('span', { class: `tb-code-${token.role}` }, piece)
  })
  return h('pre', {}, h('code', {}, tokens.length === 0 ? sanitizePageText(text) : pieces))
}
