import { indentTerminal, joinTerminal, wrapTerminal } from '@toolblocks/renderer'
import type { TerminalText } from '@toolblocks/protocol'
import type { Terminal } from '../../../terminal/terminal.ts'

/** The areas that are checked. */
const AREAS = [
  'node',
  'configuration',
  'trust',
  'model',
  'store',
  'questions',
  'logins',
  'servers',
  'tools',
  'editor',
  'terminal',
] as const

type Area = (typeof AREAS)[number]

/** The result of one check. `note`: nothing is wrong, but a person may want to know it. */
export type Finding = { area: Area; message: string } & (
  | { state: 'ok' | 'note' }
  | {
      state: 'problem'
      /** What to do about the problem. */
      fix: string
      /** The exit code of a command with this problem. */
      code: number
    }
)

const MARKS = { ok: ['✓', 'green'], note: ['·', 'dim'], problem: ['✗', 'red'] } as const
/** The columns before the message. */
const INDENT = Math.max(...AREAS.map((area) => area.length)) + 4

/** Renders findings as lines: the area, the message, and below a problem its fix. */
export function writeFindings(
  findings: readonly Finding[],
  { style, sanitize, columns }: Pick<Terminal, 'style' | 'sanitize' | 'columns'>,
): TerminalText {
  const indent = ' '.repeat(INDENT)
  const wrapIndented = (text: TerminalText): TerminalText => wrapTerminal(text, columns, indent)
  const lines = findings.flatMap((finding) => {
    const [mark, color] = MARKS[finding.state]
    const head = joinTerminal([style[color](mark), style.bold(finding.area)], ' ')
    const gap = ' '.repeat(INDENT - finding.area.length - 2)
    const message = indentTerminal(sanitize(finding.message), indent).slice(indent.length)
    const line = wrapIndented(joinTerminal([head, sanitize(message)], gap))
    if (finding.state !== 'problem') return [line]
    const fix = joinTerminal(
      [style.cyan('fix:'), sanitize(finding.fix), style.dim(`(exit code ${finding.code})`)],
      ' ',
    )
    return [line, wrapIndented(indentTerminal(fix, indent))]
  })
  return joinTerminal(lines, '\n')
}
