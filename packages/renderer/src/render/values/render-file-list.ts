import type { FileEntry, FileListValue, TerminalText } from '@toolblocks/protocol'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from '../text/count-of.ts'
import { padLine, widestOf } from '../text/fit-text.ts'
import { renderFacts } from '../text/render-facts.ts'
import { showPath } from '../text/show-address.ts'
import { sizeOf } from '../text/size-of.ts'

/** Names are not filled up further than this, so that one long name does not move the sizes of all others. */
const WIDEST = 40

/** The entries of a directory, one line each. */
export function renderFileList(
  { path, entries, truncated }: FileListValue['data'],
  context: RenderContext,
): TerminalText {
  const { style, limits } = context
  const count = countOf(entries.length, 'entry', 'entries')
  const facts = [count, truncated ? 'not all there are' : undefined]
  const header = renderFacts(showPath(path, context), facts, context)
  const shown = entries.slice(0, limits.first)
  const left = entries.length - shown.length
  const more = left === 0 ? [] : [style.dim(`… ${countOf(left, 'more entry', 'more entries')}`)]
  return joinTerminal([header, ...renderEntries(shown, context), ...more], '\n')
}

function renderEntries(entries: readonly FileEntry[], context: RenderContext): TerminalText[] {
  const names = entries.map((entry) => renderName(entry, context))
  const width = Math.min(WIDEST, widestOf(names))
  return entries.map(({ size }, index) => {
    const name = names[index] ?? joinTerminal([])
    if (size === undefined) return indentTerminal(name)
    return indentTerminal(
      joinTerminal([padLine(name, width), context.style.dim(sizeOf(size))], '  '),
    )
  })
}

function renderName({ name, type }: FileEntry, { style }: RenderContext): TerminalText {
  if (type === 'directory') return style.cyan(`${name}/`)
  return style.plain(type === 'symlink' ? `${name}@` : name)
}
