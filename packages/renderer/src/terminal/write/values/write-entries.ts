import { type FileEntry, type TerminalText, sizeInWords } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '../../../compose/compose-terminal.ts'
import { paint } from '../../../compose/terminal-style.ts'
import { wrapTerminal } from '../../../compose/wrap-terminal.ts'
import type { ShownPart } from '../../../show/shown-part.ts'
import { dateText } from '../../../show/values/views/date-text.ts'
import { toTerminalText } from '../../../terminal-text.ts'
import { padLine, widestOf } from '../text/fit-text.ts'
import { narrow, type WriteContext } from '../write-context.ts'
import { writeLeft } from '../write-left.ts'

/** Names are not filled up further than this, so that one long name does not move the sizes of all others. */
const WIDEST = 40

/** The entries of a directory, one line each. */
export function writeEntries(
  { entries, left }: Extract<ShownPart, { kind: 'entries' }>,
  context: WriteContext,
): TerminalText {
  const names = entries.map((entry) => writeName(entry, context))
  const width = Math.min(WIDEST, Math.floor(context.columns / 2), widestOf(names))
  const sizes = entries.map(({ size }) => (size === undefined ? '' : sizeInWords(size)))
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
