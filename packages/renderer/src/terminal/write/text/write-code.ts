import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { paint, type Paint } from '../../../compose/terminal-style.ts'
import type { CodeRole, CodeToken } from '../../../show/context/content-readers.ts'
import type { ShownPart } from '../../../show/shown-part.ts'
import { withoutColors, type WriteContext } from '../write-context.ts'
import { writeBesideGutter, writeCut, writeQuoted } from './write-text.ts'

const PAINTS: Readonly<Record<CodeRole, Paint>> = {
  plain: 'plain',
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  comment: 'dim',
  name: 'blue',
  type: 'cyan',
  property: 'plain',
  meta: 'dim',
  added: 'green',
  removed: 'red',
}

/** The content of a file behind the gutter, in the colours of its language where they are known. */
export function writeCode(
  code: Extract<ShownPart, { kind: 'code' }>,
  context: WriteContext,
): TerminalText {
  const { tokens } = code
  if (!tokens || context.colors === 'none') return writeQuoted(code, context)
  return writeCut({ first: tokens.first, left: code.left, last: tokens.last }, context, (part) =>
    writeBesideGutter(writeTokens(part, context), context),
  )
}

/** Code in colours; everything in it is sanitized, piece by piece. */
export function writeTokens(
  tokens: readonly CodeToken[],
  { colors }: Pick<WriteContext, 'colors'>,
): TerminalText {
  return joinTerminal(
    tokens.map(({ text, role }) => paint(withoutColors(text), PAINTS[role], colors)),
  )
}
