import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine, wrapTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../../terminal/terminal.ts'
import { type Effect, EFFECTS } from './want-line.ts'
import type { Want } from './wants.ts'

const HEADINGS: Readonly<Record<Effect, string>> = {
  starts: 'start programs',
  reaches: 'reach servers',
  reads: 'read your variables',
  sends: 'send',
  writes: 'write',
  loosens: 'act without asking you',
}

const INDENT = '  '

/** Formats every want under its effect, each on its own line. Nothing is cut, because a person cannot agree to text that is not shown. */
export function describeWants(
  title: string,
  wants: readonly Want[],
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
): TerminalText {
  const groups = EFFECTS.flatMap((effect) => {
    const texts = wants.filter((want) => want.effect === effect).map(({ text }) => text)
    if (texts.length === 0) return []
    const heading = joinTerminal([style.plain(INDENT), style.bold(HEADINGS[effect])])
    return [
      heading,
      ...[...new Set(texts)].map((text) =>
        wrapTerminal(
          joinTerminal([style.plain(INDENT), style.plain(INDENT), sanitizeCompletely(text)]),
          columns,
          INDENT,
        ),
      ),
    ]
  })
  return joinTerminal([wrapTerminal(sanitizeCompletely(title), columns), ...groups], '\n')
}

function sanitizeCompletely(text: string): TerminalText {
  return sanitizeTerminalLine(text, { maxLength: Infinity })
}
