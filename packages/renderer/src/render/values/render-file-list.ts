import {
  type FileEntry,
  type FileListValue,
  type TerminalText,
  sizeInWords,
} from '@toolblocks/protocol'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { narrow, type RenderContext } from '../render-context.ts'
import { countOf } from '../text/count-of.ts'
import { padLine, widestOf } from '../text/fit-text.ts'
import { renderLeft } from '../text/render-left.ts'
import { renderFacts } from '../text/render-facts.ts'
import { showPath } from '../text/show-address.ts'

/** Names are not filled up further than this, so that one long name does not move the sizes of all others. */
const WIDEST = 40

/** The entries of a directory, one line each. */
export function renderFileList(
  { path, entries, truncated }: FileListValue['data'],
  context: RenderContext,
): TerminalText {
  const count = countOf(entries.length, 'entry', 'entries')
  const facts = [count, truncated ? 'not all there are' : undefined]
  const header = renderFacts(showPath(path, context), facts, context)
  const shown = entries.slice(0, context.limits.first + context.limits.last)
  const left = entries.length - shown.length
  const more = left === 0 ? [] : [renderLeft(left, 'more entry', context, 'more entries')]
  return joinTerminal([header, ...renderEntries(shown, context), ...more], '\n')
}

function renderEntries(entries: readonly FileEntry[], context: RenderContext): TerminalText[] {
  const names = entries.map((entry) => renderName(entry, context))
  const width = Math.min(WIDEST, Math.floor(context.columns / 2), widestOf(names))
  return entries.map(({ size }, index) => {
    const name = names[index] ?? joinTerminal([])
    const line =
      size === undefined
        ? name
        : joinTerminal([padLine(name, width), context.style.dim(sizeInWords(size))], '  ')
    return indentTerminal(wrapTerminal(line, narrow(context, 2).columns, '  '))
  })
}

function renderName(
  { name, type }: FileEntry,
  { sanitizeLine, colors }: RenderContext,
): TerminalText {
  if (type === 'directory') return paint(sanitizeLine(`${name}/`), 'cyan', colors)
  return sanitizeLine(type === 'symlink' ? `${name}@` : name)
}
