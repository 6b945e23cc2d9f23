import { type FileEntry, type TerminalText } from '@toolblocks/protocol'
import { formatByteSize } from '@toolblocks/protocol/internal'
import {
  indentTerminal,
  joinTerminal,
  linkTerminal,
  wrapTerminal,
} from '../compose/compose-terminal.ts'
import { paint } from '../compose/terminal-style.ts'
import { revealUnsafe, revealUnsafeInLine } from '../sanitize/unsafe-characters.ts'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-text.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import { dateText } from '../show/show-table.ts'
import type { PartKind, ShownPart } from '../show/shown-part.ts'
import { type WriteContext, narrow, renderOmitted } from './terminal-context.ts'
import { renderDiff } from './render-diff.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderTable } from './render-table.ts'
import {
  padLine,
  getWidest,
  renderBesideGutter,
  renderCode,
  renderQuoted,
  renderStderr,
  renderText,
} from './render-text.ts'
import { renderTree } from './render-tree.ts'

/** Renders a part for a terminal, in as many lines as it needs. Everything in it is sanitized here. */
export function renderPart(part: ShownPart, context: WriteContext): TerminalText {
  const { style, colors, columns, sanitizeLine } = context
  switch (part.kind) {
    case 'heading':
      return wrapTerminal(paint(sanitizeLine(part.text), 'bold', colors), columns)
    case 'facts':
    case 'link':
      return renderFacts(part, context)
    case 'media':
      return renderMedia(part, context)
    case 'text':
      return renderText(part, context)
    case 'code':
      return renderCode(part, context)
    case 'empty':
      return style.dim('  (empty)')
    case 'diff':
      return renderDiff(part, context)
    case 'markdown':
      return renderMarkdown(part, context)
    case 'tree':
      return renderTree(part, context)
    case 'fold':
      return renderFold(part, context)
    case 'table':
      return renderTable(part, context)
    case 'entries':
      return renderEntries(part, context)
    case 'question':
      return renderQuestion(part, context)
    case 'argument':
      return renderArgument(part, context)
    case 'notice':
      return wrapTerminal(style.dim(part.text), columns)
    case 'failure':
      return renderFailure(part, context)
    case 'cause':
      return renderCause(part, context)
    case 'warning':
      return renderWarning(part, context)
    case 'stderr':
      return renderStderr(part, context)
    case 'left':
      return renderOmitted(part, context)
    case 'group': {
      const written = part.parts.map((one) => renderPart(one, context))
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

/** Renders an argument: text of several lines is after the gutter, under its name, with nothing hidden. */
function renderArgument(
  { name, text }: PartKind<'argument'>,
  { style, colors, columns }: WriteContext,
): TerminalText {
  const label = joinTerminal([paint(revealUnsafeInLine(name), 'bold', colors), style.plain(':')])
  if (!text.includes('\n'))
    return wrapTerminal(joinTerminal([label, revealUnsafeInLine(text)], ' '), columns, '  ')
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  return joinTerminal(
    [wrapTerminal(label, columns), renderBesideGutter(revealUnsafe(body), { style, columns })],
    '\n',
  )
}

function renderFailure(
  { text, transient }: PartKind<'failure'>,
  { style, columns }: WriteContext,
): TerminalText {
  const retry = transient ? [style.dim('trying again may help')] : []
  return wrapTerminal(joinTerminal([style.red(`✗ ${text}`), ...retry], '  '), columns, '  ')
}

const CAUSED_BY = 'caused by: '

function renderCause(cause: PartKind<'cause'>, context: WriteContext): TerminalText {
  const indent = ' '.repeat(CAUSED_BY.length)
  const text = indentTerminal(renderText(cause, narrow(context, indent.length)), indent)
  return joinTerminal([context.style.dim(CAUSED_BY), toTerminalText(text.slice(indent.length))])
}

function renderWarning(
  { path, message, facts }: PartKind<'warning'>,
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

/** Renders the line of folded content, and how to see the content. */
function renderFold(
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

const MAX_COLUMNS = 60
const MAX_ROWS = 20

/** Renders the facts of a picture, a sound or a file in one line, and below it the picture if the terminal shows pictures. */
function renderMedia(
  part: Extract<ShownPart, { kind: 'media' }>,
  context: WriteContext,
): TerminalText {
  const line = renderFacts(part, context)
  const { media, base64, mimeType } = part
  if (media !== 'image' || base64 === undefined) return line
  const room = { columns: Math.min(MAX_COLUMNS, context.columns), rows: MAX_ROWS }
  const image = context.images?.({ base64, mimeType }, room)
  return image === undefined ? line : joinTerminal([line, image], '\n')
}

/**
 * Renders a question in a line with its id, and below it the complete text if one line cannot hold it. A person decides about it, so nothing is
 * hidden, and an address is never truncated.
 */
function renderQuestion(
  question: Extract<ShownPart, { kind: 'question' }>,
  context: WriteContext,
): TerminalText {
  const { style, colors } = context
  const { id, first: text, isLine, url } = question
  const isShort = isLine && sanitizeTerminalLine(text) === revealUnsafeInLine(text)
  const label = joinTerminal(
    [style.yellow('?'), style.bold(isShort ? text : 'Question'), style.dim(`(${id})`)],
    ' ',
  )
  const below = isShort ? [] : [renderQuoted(question, { ...context, sanitize: revealUnsafe })]
  const address =
    url === undefined
      ? []
      : [
          joinTerminal([
            style.dim('  answered at '),
            paint(revealUnsafeInLine(url), 'cyan', colors),
          ]),
        ]
  return joinTerminal(
    [label, ...below, ...address].map((line) => wrapTerminal(line, context.columns, '  ')),
    '\n',
  )
}

/** Names are padded up to this width, so that one long name does not move the sizes of all others. */
const MAX_WIDTH = 40

/** Renders the entries of a directory, one line each. */
function renderEntries(
  { entries, left }: Extract<ShownPart, { kind: 'entries' }>,
  context: WriteContext,
): TerminalText {
  const names = entries.map((entry) => renderName(entry, context))
  const width = Math.min(MAX_WIDTH, Math.floor(context.columns / 2), getWidest(names))
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
  const more = left === 0 ? [] : [renderOmitted({ count: left, unit: 'entry' }, context)]
  return joinTerminal([...lines, ...more], '\n')
}

function renderName(
  { name, type }: FileEntry,
  { sanitizeLine, colors }: WriteContext,
): TerminalText {
  if (type === 'directory') return paint(sanitizeLine(`${name}/`), 'cyan', colors)
  return sanitizeLine(type === 'symlink' ? `${name}@` : name)
}

/** Renders a name with facts, in one line if there is room. */
function renderFacts(
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
