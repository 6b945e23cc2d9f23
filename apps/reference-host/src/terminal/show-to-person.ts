import type { ToolResult } from '@toolblocks/protocol'
import {
  indentTerminal,
  joinTerminal,
  renderTerminalParts,
  type RenderOptions,
} from '@toolblocks/renderer'
import type { Abilities } from './load-abilities.ts'
import type { Terminal } from './terminal.ts'

/** How much of a result is shown. */
export interface Shown {
  root: string
  /** Lines of one block. Default: 40 on a terminal, all elsewhere. */
  lines: number | undefined
  /** What stands before each line of the tool's, so that none looks like a line of the host's. Default: nothing, as the host says nothing else. */
  gutter?: string
  /** `show`: also what a successful tool printed on standard error. */
  stderr: 'name' | 'show'
  /** What the person can do to see more. */
  hints: NonNullable<RenderOptions['hints']>
  /** What the terminal can show beside plain text. Default: nothing. */
  abilities?: Abilities
}

const LINES = 40
const GAP = joinTerminal([])

/** Shows a result: what the tool answered on standard output; what this host says of it on standard error. */
export function showToPerson(result: ToolResult, terminal: Terminal, shown: Shown): void {
  const { colors, columns } = terminal
  const { gutter = '' } = shown
  const maxLines = shown.lines ?? (columns === Infinity ? Infinity : LINES)
  const { failure, answer, remarks } = renderTerminalParts(result, {
    colors,
    columns: columns - gutter.length,
    root: shown.root,
    maxLines,
    lastLines: Math.floor(maxLines / 4),
    stderr: shown.stderr,
    ...shown.abilities,
    hints: shown.hints,
  })
  if (failure !== '') terminal.note(failure)
  if (isOfHost(result)) terminal.note(answer)
  else terminal.print(gutter === '' ? answer : indentTerminal(answer, gutter))
  if (remarks === '') return
  const isApart = columns !== Infinity && answer.includes('\n')
  terminal.note(isApart ? joinTerminal([GAP, remarks], '\n') : remarks)
}

/** A call that ended before the tool could answer has no words but this host's. */
function isOfHost({ metadata }: ToolResult): boolean {
  return metadata?.outcome === 'denied' || metadata?.outcome === 'unanswered'
}
