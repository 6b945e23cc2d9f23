import { type FileEntry, type TerminalText, sizeInWords } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '../../compose/compose-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import { padLine, widestOf } from './fit-text.ts'
import { narrow, type WriteContext } from './write-context.ts'
import { writeLeft } from './write-left.ts'

/** Names are not filled up further than this, so that one long name does not move the sizes of all others. */
const WIDEST = 40

/** The entries of a directory, one line each. */
export function writeEntries(
  { entries, left }: Extract<ShownPart, { kind: 'entries' }>,
  context: WriteContext,
): TerminalText {
  const names = entries.map((entry) => writeName(entry, context))
  const width = Math.min(WIDEST, Math.floor(context.columns / 2), widestOf(names))
  const lines = entries.map(({ size }, index) => {
    const name = names[index] ?? joinTerminal([])
    const line =
      size === undefined
        ? name
        : joinTerminal([padLine(name, width), context.style.dim(sizeInWords(size))], '  ')
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
