import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '../../compose/compose-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { revealOdd, revealOddInLine } from '../../sanitize/reveal-odd.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import { toTerminalText } from '../../terminal-text.ts'
import { narrow, type WriteContext } from './write-context.ts'
import { writeCode } from './text/write-code.ts'
import { writeDiff } from './values/write-diff.ts'
import { writeEntries } from './values/write-entries.ts'
import { writeLeft } from './write-left.ts'
import { writeFacts } from './values/write-facts.ts'
import { writeFold } from './write-fold.ts'
import { writeMarkdown } from './text/write-markdown.ts'
import { writeMedia } from './write-media.ts'
import { writeQuestion } from './write-question.ts'
import { writeStderr } from './text/write-stderr.ts'
import { writeTable } from './values/write-table.ts'
import { writeTree } from './values/write-tree.ts'
import { writeBesideGutter, writeText } from './text/write-text.ts'

type PartOf<Kind extends ShownPart['kind']> = Extract<ShownPart, { kind: Kind }>

/** Writes a part for a terminal, in as many lines as it needs; everything in it is sanitized here. */
export function writePart(part: ShownPart, context: WriteContext): TerminalText {
  const { style, colors, columns, sanitizeLine } = context
  switch (part.kind) {
    case 'heading':
      return wrapTerminal(paint(sanitizeLine(part.text), 'bold', colors), columns)
    case 'facts':
    case 'link':
      return writeFacts(part, context)
    case 'media':
      return writeMedia(part, context)
    case 'text':
      return writeText(part, context)
    case 'code':
      return writeCode(part, context)
    case 'empty':
      return style.dim('  (empty)')
    case 'diff':
      return writeDiff(part, context)
    case 'markdown':
      return writeMarkdown(part, context)
    case 'tree':
      return writeTree(part, context)
    case 'fold':
      return writeFold(part, context)
    case 'table':
      return writeTable(part, context)
    case 'entries':
      return writeEntries(part, context)
    case 'question':
      return writeQuestion(part, context)
    case 'argument':
      return writeArgument(part, context)
    case 'notice':
      return wrapTerminal(style.dim(part.text), columns)
    case 'failure':
      return writeFailure(part, context)
    case 'cause':
      return writeCause(part, context)
    case 'warning':
      return writeWarning(part, context)
    case 'stderr':
      return writeStderr(part, context)
    case 'left':
      return writeLeft(part, context)
    case 'group': {
      const written = part.parts.map((one) => writePart(one, context))
      return joinLines(written)
    }
  }
}

function joinLines(parts: readonly TerminalText[]): TerminalText {
  return joinTerminal(
    parts.filter((part) => part !== ''),
    '\n',
  )
}

/** Text of several lines stands behind the gutter, under its name; nothing in it hides. */
function writeArgument(
  { name, text }: PartOf<'argument'>,
  { style, colors, columns }: WriteContext,
): TerminalText {
  const label = joinTerminal([paint(revealOddInLine(name), 'bold', colors), style.plain(':')])
  if (!text.includes('\n'))
    return wrapTerminal(joinTerminal([label, revealOddInLine(text)], ' '), columns, '  ')
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return joinTerminal(
    [wrapTerminal(label, columns), writeBesideGutter(revealOdd(body), { style, columns })],
    '\n',
  )
}

function writeFailure(
  { text, transient }: PartOf<'failure'>,
  { style, columns }: WriteContext,
): TerminalText {
  const retry = transient ? [style.dim('trying again may help')] : []
  return wrapTerminal(joinTerminal([style.red(`✗ ${text}`), ...retry], '  '), columns, '  ')
}

const CAUSED_BY = 'caused by: '

function writeCause(cause: PartOf<'cause'>, context: WriteContext): TerminalText {
  const indent = ' '.repeat(CAUSED_BY.length)
  const text = indentTerminal(writeText(cause, narrow(context, indent.length)), indent)
  return joinTerminal([context.style.dim(CAUSED_BY), toTerminalText(text.slice(indent.length))])
}

function writeWarning(
  { path, message, facts }: PartOf<'warning'>,
  { style, columns }: WriteContext,
): TerminalText {
  const parts = [
    style.yellow('!'),
    style.dim(path),
    style.plain(message),
    style.dim(facts.length === 0 ? '' : `(${facts.join(', ')})`),
  ]
  const line = joinTerminal(
    parts.filter((part) => part !== ''),
    ' ',
  )
  return wrapTerminal(line, columns, '  ')
}
