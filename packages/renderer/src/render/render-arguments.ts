import { printableJson, type TerminalText, type ToolCall } from '@toolblocks/protocol'
import { joinTerminal } from '../compose/join-terminal.ts'
import { paint } from '../compose/terminal-style.ts'
import { wrapTerminal } from '../compose/wrap-terminal.ts'
import { revealOdd, revealOddInLine } from '../sanitize/reveal-odd.ts'
import { createRenderContext, type RenderContext } from './render-context.ts'
import type { RenderOptions } from './render-options.ts'
import { renderQuoted } from './text/render-text.ts'
import { toJson } from './values/to-json.ts'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-line.ts'

const LABEL_END = sanitizeTerminalLine(':')

/**
 * Renders the arguments of a call for a person who decides on it: each whole, under its name. Text of several lines and what is
 * nested stand behind a gutter; nothing in them hides or acts.
 */
export function renderArguments(
  values: ToolCall['arguments'],
  options: Pick<RenderOptions, 'colors' | 'columns'> = {},
): TerminalText {
  const context: RenderContext = {
    ...createRenderContext({ ...options, maxLines: Infinity }),
    sanitize: revealOdd,
  }
  const entries = Object.entries(values)
  if (entries.length === 0) return context.style.dim('(no arguments)')
  return joinTerminal(
    entries.map(([name, value]) => renderArgument(name, value, context)),
    '\n',
  )
}

function renderArgument(name: string, value: unknown, context: RenderContext): TerminalText {
  const { colors, columns } = context
  const label = joinTerminal([paint(revealOddInLine(name), 'bold', colors), LABEL_END])
  const text = typeof value === 'string' && !isMistakable(value) ? value : jsonOf(value)
  if (text.includes('\n'))
    return joinTerminal([wrapTerminal(label, columns), renderQuoted(text, context)], '\n')
  return wrapTerminal(joinTerminal([label, revealOddInLine(text)], ' '), columns, '  ')
}

/** Text that without its quotes would pass for something else, or for nothing. */
function isMistakable(text: string): boolean {
  if (text === '' || text.trim() !== text) return !text.includes('\n')
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function jsonOf(value: unknown): string {
  return printableJson(toJson(value, 2) ?? '(no JSON)')
}
