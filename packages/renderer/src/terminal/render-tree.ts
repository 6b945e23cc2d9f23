import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, wrapTerminal } from '../compose/compose-terminal.ts'
import { paint, type TerminalStyle } from '../compose/terminal-style.ts'
import { formatCount } from '../show/show-facts.ts'
import type { ShownNode, ShownPart } from '../show/shown-part.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import type { WriteContext } from './terminal-context.ts'

const STYLES: Readonly<Record<ShownNode['type'], keyof TerminalStyle>> = {
  object: 'dim',
  array: 'dim',
  string: 'green',
  number: 'yellow',
  boolean: 'yellow',
  null: 'dim',
  other: 'dim',
}

/** Renders a nested value with one line for each field. */
export function renderTree(
  { top }: Extract<ShownPart, { kind: 'tree' }>,
  context: WriteContext,
): TerminalText {
  const lines: TerminalText[] = []
  if (top.nodes.length === 0 && top.left === 0) lines.push(renderNode(top, '', context))
  renderNodes(top, '', lines, context)
  return joinTerminal(lines, '\n')
}

function renderNodes(
  { nodes, left }: ShownNode,
  indent: string,
  lines: TerminalText[],
  context: WriteContext,
): void {
  for (const [index, node] of nodes.entries()) {
    const isLast = index === nodes.length - 1 && left === 0
    lines.push(renderNode(node, `${indent}${isLast ? '└ ' : '├ '}`, context, isLast))
    renderNodes(node, `${indent}${isLast ? '  ' : '│ '}`, lines, context)
  }
  if (left === 0) return
  const how = context.hints.cut === undefined || nodes.length === 0 ? '' : ` (${context.hints.cut})`
  // For content without lines, its own line has its size.
  if (nodes.length === 0 && indent !== '') return
  const more = toTerminalText(`${indent}└ `)
  lines.push(
    joinTerminal([
      paint(more, 'dim', context.colors),
      context.style.dim(`… ${formatCount(left, 'more', 'more')}${how}`),
    ]),
  )
}

function renderNode(
  { key, type, text }: ShownNode,
  branch: string,
  { colors, sanitizeLine, columns }: WriteContext,
  isLast = true,
): TerminalText {
  const label = key === undefined ? '' : `${key}: `
  const content = type === 'object' || type === 'array' ? `(${text})` : text
  const line = joinTerminal([
    paint(toTerminalText(branch), 'dim', colors),
    paint(sanitizeLine(label), 'cyan', colors),
    paint(sanitizeLine(content), STYLES[type], colors),
  ])
  const hang = branch.slice(0, -2) + (branch === '' ? '' : isLast ? '    ' : '│   ')
  return wrapTerminal(line, columns, hang)
}
