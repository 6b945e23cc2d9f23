import { type FileEntry, type TerminalText, formatByteSize } from '@toolblocks/protocol'
import {
  indentTerminal,
  joinTerminal,
  linkTerminal,
  wrapTerminal,
} from '../compose/compose-terminal.ts'
import { paint } from '../compose/terminal-style.ts'
import { revealOdd, revealOddInLine } from '../sanitize/odd-characters.ts'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-text.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import { dateText } from '../show/show-table.ts'
import type { ShownPart } from '../show/shown-part.ts'
import { type WriteContext, narrow, writeLeft } from './write-context.ts'
import { writeDiff } from './write-diff.ts'
import { writeMarkdown } from './write-markdown.ts'
import { writeTable } from './write-table.ts'
import {
  padLine,
  getWidest,
  writeBesideGutter,
  writeCode,
  writeQuoted,
  writeStderr,
  writeText,
} from './write-text.ts'
import { writeTree } from './write-tree.ts'

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

/** The line that stands for what is folded, and how to see it. */
function writeFold(
  { summary }: Extract<ShownPart, { kind: 'fold' }>,
  { style, colors, sanitizeLine, columns, hints }: WriteContext,
): TerminalText {
  const how = hints.cut === undefined ? '' : `; ${hints.cut}`
  const line = [
    style.dim('▸'),
    paint(sanitizeLine(summary), 'bold', colors),
    style.dim(`(folded, as the tool asks${how})`),
  ]
  return wrapTerminal(joinTerminal(line, ' '), columns, '  ')
}

const MOST_COLUMNS = 60
const MOST_ROWS = 20

/** What is known of a picture, a sound or a file in one line, and below it a picture where the terminal shows them. */
function writeMedia(
  part: Extract<ShownPart, { kind: 'media' }>,
  context: WriteContext,
): TerminalText {
  const line = writeFacts(part, context)
  const { media, base64, mimeType } = part
  if (media !== 'image' || base64 === undefined) return line
  const room = { columns: Math.min(MOST_COLUMNS, context.columns), rows: MOST_ROWS }
  const image = context.images?.({ base64, mimeType }, room)
  return image === undefined ? line : joinTerminal([line, image], '\n')
}

/**
 * What a tool asks, in a line with its id; below it the whole text where a line cannot hold it. A person decides on it: nothing
 * in it hides, and an address is never cut.
 */
function writeQuestion(
  question: Extract<ShownPart, { kind: 'question' }>,
  context: WriteContext,
): TerminalText {
  const { style, colors } = context
  const { id, first: text, isLine, url } = question
  const isShort = isLine && sanitizeTerminalLine(text) === revealOddInLine(text)
  const label = joinTerminal(
    [style.yellow('?'), style.bold(isShort ? text : 'Question'), style.dim(`(${id})`)],
    ' ',
  )
  const below = isShort ? [] : [writeQuoted(question, { ...context, sanitize: revealOdd })]
  const address =
    url === undefined
      ? []
      : [joinTerminal([style.dim('  answered at '), paint(revealOddInLine(url), 'cyan', colors)])]
  return joinTerminal(
    [label, ...below, ...address].map((line) => wrapTerminal(line, context.columns, '  ')),
    '\n',
  )
}

/** Names are not filled up further than this, so that one long name does not move the sizes of all others. */
const WIDEST = 40

/** The entries of a directory, one line each. */
function writeEntries(
  { entries, left }: Extract<ShownPart, { kind: 'entries' }>,
  context: WriteContext,
): TerminalText {
  const names = entries.map((entry) => writeName(entry, context))
  const width = Math.min(WIDEST, Math.floor(context.columns / 2), getWidest(names))
  const sizes = entries.map(({ size }) => (size === undefined ? '' : formatByteSize(size)))
  const widestSize = sizes.reduce((widest, size) => Math.max(widest, size.length), 0)
  const lines = entries.map(({ modified }, index) => {
    const name = names[index] ?? joinTerminal([])
    const time = modified === undefined ? '' : (dateText(modified) ?? modified)
    const size = sizes[index] ?? ''
    const facts = [
      ...(size === '' && time === '' ? [] : [size.padEnd(time === '' ? 0 : widestSize)]),
      ...(time === '' ? [] : [context.sanitizeLine(time)]),
    ].map((fact) => paint(toTerminalText(fact), 'dim', context.colors))
    const line = facts.length === 0 ? name : joinTerminal([padLine(name, width), ...facts], '  ')
    return indentTerminal(wrapTerminal(line, narrow(context, 2).columns, '  '))
  })
  const more = left === 0 ? [] : [writeLeft({ count: left, unit: 'entry' }, context)]
  return joinTerminal([...lines, ...more], '\n')
}

function writeName(
  { name, type }: FileEntry,
  { sanitizeLine, colors }: WriteContext,
): TerminalText {
  if (type === 'directory') return paint(sanitizeLine(`${name}/`), 'cyan', colors)
  return sanitizeLine(type === 'symlink' ? `${name}@` : name)
}

/** One line where there is room: what something is called, and what else is known of it. */
function writeFacts(
  { name, facts, uri }: { name: string; facts: readonly string[]; uri?: string },
  { sanitizeLine, colors, columns, links }: WriteContext,
): TerminalText {
  const details = joinTerminal(facts.map(sanitizeLine), ' · ')
  const title = paint(sanitizeLine(name), 'bold', colors)
  const parts = [
    uri !== undefined && links === 'osc8' ? linkTerminal(title, uri) : title,
    paint(details, 'dim', colors),
  ]
  const line = joinTerminal(
    parts.filter((part) => part !== ''),
    '  ',
  )
  return wrapTerminal(line, columns, '  ')
}
