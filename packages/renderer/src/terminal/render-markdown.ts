import type { TerminalText } from '@toolblocks/protocol'
import {
  indentTerminal,
  joinTerminal,
  linkTerminal,
  wrapTerminal,
} from '../compose/compose-terminal.ts'
import { type Paint, paint } from '../compose/terminal-style.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import type { MarkdownBlock, MarkdownInline, MarkdownItem } from '../show/content-readers.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { renderTable } from './render-table.ts'
import { type WriteContext, narrow, withoutColors, renderOmitted } from './terminal-context.ts'
import { renderBesideGutter, renderTokens } from './render-text.ts'

const RULE = 40

/** Renders Markdown block by block. */
export function renderMarkdown(
  { blocks, left }: Extract<ShownPart, { kind: 'markdown' }>,
  context: WriteContext,
): TerminalText {
  const more = left === 0 ? [] : [renderOmitted({ count: left, unit: 'line' }, context)]
  return joinTerminal([joinTerminal(renderBlocks(blocks, context), '\n\n'), ...more], '\n')
}

function renderBlocks(blocks: readonly MarkdownBlock[], context: WriteContext): TerminalText[] {
  return blocks.map((block) => renderBlock(block, context))
}

function renderBlock(block: MarkdownBlock, context: WriteContext): TerminalText {
  const { style, columns, colors } = context
  switch (block.kind) {
    case 'heading': {
      const heading = paint(renderInline(block.content, context), 'bold', colors)
      const signs = style.dim('#'.repeat(block.level))
      return wrapTerminal(joinTerminal([signs, heading], ' '), columns, '  ')
    }
    case 'paragraph':
      return wrapTerminal(renderInline(block.content, context), columns)
    case 'code': {
      const { tokens, text } = block
      const code = tokens && colors === 'ansi' ? renderTokens(tokens, context) : withoutColors(text)
      return renderBesideGutter(code, context)
    }
    case 'quote': {
      const inner = joinTerminal(renderBlocks(block.blocks, narrow(context, 2)), '\n\n')
      return indentTerminal(inner, style.dim('▌ '))
    }
    case 'list': {
      const { start, items } = block
      const written = items.map((item, index) =>
        renderItem(item, start === undefined ? '•' : `${start + index}.`, context),
      )
      return joinTerminal(written, '\n')
    }
    case 'table':
      return renderMarkdownTable(block, context)
    case 'rule':
      return style.dim('─'.repeat(Math.min(RULE, columns)))
  }
}

function renderItem(
  { isDone, blocks }: MarkdownItem,
  bullet: string,
  context: WriteContext,
): TerminalText {
  const box = isDone === undefined ? '' : isDone ? '☑' : '☐'
  const lead = `${box === '' ? bullet : box} `
  const inner = renderBlocks(blocks, narrow(context, lead.length))
  const rows = indentTerminal(joinTerminal(inner, '\n'), ' '.repeat(lead.length))
  return joinTerminal([context.style.dim(lead), toTerminalText(rows.slice(lead.length))])
}

/** Renders a table like any other: cells without inline styles. */
function renderMarkdownTable(
  { columns, rows }: Extract<MarkdownBlock, { kind: 'table' }>,
  context: WriteContext,
): TerminalText {
  const table = {
    kind: 'table' as const,
    columns: columns.map(({ align, content }) => ({ align, label: textOfInline(content) })),
    rows: rows.map((row) => row.map(textOfInline)),
    left: { rows: 0, columns: 0 },
  }
  return renderTable(table, context)
}

const PAINTS: Readonly<Record<'strong' | 'emphasis' | 'deleted', Paint>> = {
  strong: 'bold',
  emphasis: 'italic',
  deleted: 'strikethrough',
}

/** Renders inline Markdown. The address of a link is shown beside its text, which may be misleading. */
function renderInline(content: readonly MarkdownInline[], context: WriteContext): TerminalText {
  return joinTerminal(content.map((one) => renderOne(one, context)))
}

function renderOne(one: MarkdownInline, context: WriteContext): TerminalText {
  const { colors } = context
  switch (one.kind) {
    case 'text':
      return withoutColors(flat(one.text))
    case 'code': {
      const code = withoutColors(flat(one.text))
      return colors === 'ansi' ? paint(code, 'cyan', colors) : toTerminalText(`\`${code}\``)
    }
    case 'break':
      return toTerminalText('\n')
    case 'strong':
    case 'emphasis':
    case 'deleted':
      return paint(renderInline(one.content, context), PAINTS[one.kind], colors)
    case 'link':
      return renderAddressed(
        renderInline(one.content, context),
        textOfInline(one.content),
        one.uri,
        context,
      )
    case 'image': {
      const label = one.text === '' ? 'image' : `image: ${one.text}`
      return renderAddressed(withoutColors(`[${flat(label)}]`), '', one.uri, context)
    }
  }
}

function renderAddressed(
  label: TerminalText,
  content: string,
  uri: string,
  { sanitizeLine, colors, links }: WriteContext,
): TerminalText {
  const underlined = paint(label, 'underline', colors)
  const linked = links === 'osc8' ? linkTerminal(underlined, uri) : underlined
  const isSaid = content === uri || `mailto:${content}` === uri
  if (isSaid || uri === '') return linked
  return joinTerminal([linked, paint(sanitizeLine(` (${uri})`), 'dim', colors)])
}

/** Returns the text of inline Markdown without styles; for links and pictures also the address. */
function textOfInline(content: readonly MarkdownInline[]): string {
  return content.map(textOfOne).join('')
}

function textOfOne(one: MarkdownInline): string {
  switch (one.kind) {
    case 'text':
    case 'code':
      return flat(one.text)
    case 'break':
      return ' '
    case 'strong':
    case 'emphasis':
    case 'deleted':
      return textOfInline(one.content)
    case 'link':
      return withAddress(textOfInline(one.content), one.uri)
    case 'image':
      return withAddress(one.text, one.uri)
  }
}

function withAddress(text: string, uri: string): string {
  return text === uri ? text : `${text} (${uri})`
}

function flat(text: string): string {
  return text.replaceAll('\n', ' ')
}
