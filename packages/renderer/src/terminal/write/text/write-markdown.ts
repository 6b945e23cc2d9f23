import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '../../../compose/compose-terminal.ts'
import { paint } from '../../../compose/terminal-style.ts'
import { wrapTerminal } from '../../../compose/wrap-terminal.ts'
import type { MarkdownBlock, MarkdownItem } from '../../../show/context/content-readers.ts'
import type { ShownPart } from '../../../show/shown-part.ts'
import { toTerminalText } from '../../../terminal-text.ts'
import { writeTokens } from './write-code.ts'
import { narrow, type WriteContext, withoutColors } from '../write-context.ts'
import { textOfInline, writeInline } from './write-inline.ts'
import { writeLeft } from '../write-left.ts'
import { writeTable } from '../values/write-table.ts'
import { writeBesideGutter } from './write-text.ts'

const RULE = 40

/** Markdown, block by block. */
export function writeMarkdown(
  { blocks, left }: Extract<ShownPart, { kind: 'markdown' }>,
  context: WriteContext,
): TerminalText {
  const more = left === 0 ? [] : [writeLeft({ count: left, unit: 'line' }, context)]
  return joinTerminal([joinTerminal(writeBlocks(blocks, context), '\n\n'), ...more], '\n')
}

function writeBlocks(blocks: readonly MarkdownBlock[], context: WriteContext): TerminalText[] {
  return blocks.map((block) => writeBlock(block, context))
}

function writeBlock(block: MarkdownBlock, context: WriteContext): TerminalText {
  const { style, columns, colors } = context
  switch (block.kind) {
    case 'heading': {
      const words = paint(writeInline(block.content, context), 'bold', colors)
      const signs = style.dim('#'.repeat(block.level))
      return wrapTerminal(joinTerminal([signs, words], ' '), columns, '  ')
    }
    case 'paragraph':
      return wrapTerminal(writeInline(block.content, context), columns)
    case 'code': {
      const { tokens, text } = block
      const code = tokens && colors === 'ansi' ? writeTokens(tokens, context) : withoutColors(text)
      return writeBesideGutter(code, context)
    }
    case 'quote': {
      const inner = joinTerminal(writeBlocks(block.blocks, narrow(context, 2)), '\n\n')
      return indentTerminal(inner, style.dim('▌ '))
    }
    case 'list': {
      const { start, items } = block
      const written = items.map((item, index) =>
        writeItem(item, start === undefined ? '•' : `${start + index}.`, context),
      )
      return joinTerminal(written, '\n')
    }
    case 'table':
      return writeMarkdownTable(block, context)
    case 'rule':
      return style.dim('─'.repeat(Math.min(RULE, columns)))
  }
}

function writeItem(
  { isDone, blocks }: MarkdownItem,
  bullet: string,
  context: WriteContext,
): TerminalText {
  const box = isDone === undefined ? '' : isDone ? '☑' : '☐'
  const lead = `${box === '' ? bullet : box} `
  const inner = writeBlocks(blocks, narrow(context, lead.length))
  const rows = indentTerminal(joinTerminal(inner, '\n'), ' '.repeat(lead.length))
  return joinTerminal([context.style.dim(lead), toTerminalText(rows.slice(lead.length))])
}

/** As any table: cells without the looks of their words. */
function writeMarkdownTable(
  { columns, rows }: Extract<MarkdownBlock, { kind: 'table' }>,
  context: WriteContext,
): TerminalText {
  const table = {
    kind: 'table' as const,
    columns: columns.map(({ align, content }) => ({ align, label: textOfInline(content) })),
    rows: rows.map((row) => row.map(textOfInline)),
    left: { rows: 0, columns: 0 },
  }
  return writeTable(table, context)
}
