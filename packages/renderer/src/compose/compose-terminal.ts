import type { TerminalText } from '@toolblocks/protocol'
import { readRenditions } from '../sanitize/graphic-rendition.ts'
import { applyRenditions, type OpenRenditions, reopen, RESET } from '../sanitize/open-renditions.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { toTerminalText } from '../terminal-text.ts'

/** Puts parts one after another, by default with nothing between them. The separator is the host's own, plain text. */
export function joinTerminal(parts: readonly TerminalText[], separator = ''): TerminalText {
  return toTerminalText(parts.join(sanitizeTerminalText(separator, { colors: 'strip' })))
}

/** Puts parts below each other, with an empty line around those of several lines; empty ones are left out. */
export function stackTerminal(parts: readonly TerminalText[]): TerminalText {
  const shown = parts.filter((part) => part !== '')
  return toTerminalText(
    shown.map((part, index) => `${gapBetween(shown[index - 1], part)}${part}`).join(''),
  )
}

function gapBetween(upper: string | undefined, lower: string): string {
  if (upper === undefined) return ''
  return upper.includes('\n') || lower.includes('\n') ? '\n\n' : '\n'
}

/**
 * Puts a prefix, by default two spaces, before each line. Colours that are open at the end of a line are closed there and
 * opened again after the next prefix, which so keeps its own look.
 */
export function indentTerminal(text: TerminalText, prefix = '  '): TerminalText {
  const before = sanitizeTerminalText(prefix)
  const open: OpenRenditions = new Map()
  const lines = text.split('\n').map((line) => {
    const opened = reopen(open)
    applyLine(open, line)
    return `${before}${opened}${line}${open.size > 0 ? RESET : ''}`
  })
  return toTerminalText(lines.join('\n'))
}

function applyLine(open: OpenRenditions, line: string): void {
  // oxlint-disable-next-line no-control-regex -- colours begin with it
  for (const [, parameters] of line.matchAll(/\u001B\[([\d;:]*)m/g)) {
    applyRenditions(open, readRenditions(parameters ?? ''))
  }
}
