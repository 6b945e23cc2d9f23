import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/compose-terminal.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import type { WriteContext } from './write-context.ts'

/** Markdown in blocks. */
export function writeMarkdown(
  part: Extract<ShownPart, { kind: 'markdown' }>,
  { sanitize }: WriteContext,
): TerminalText {
  return joinTerminal([sanitize(JSON.stringify(part.blocks))])
}
