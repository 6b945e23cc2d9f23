import type { TerminalText } from '@toolblocks/protocol'
import { type ContentReaders, knowsLinks, renderTerminal } from '@toolblocks/renderer'
import { saidByModel } from '@toolblocks/viewer/reading'
import type { Terminal } from '../../terminal/terminal.ts'

/** Writes whole Markdown for a terminal; undefined for what has nothing to show, such as the definition of a link. */
export type RenderMarkdown = (markdown: string, columns: number) => TerminalText | undefined

/** Loaded once: a chat shows many messages. */
let loaded: Promise<ContentReaders> | undefined

async function loadReaders(): Promise<ContentReaders> {
  const { loadContentReaders } = await import('@toolblocks/renderer/readers')
  return await loadContentReaders()
}

/** Loads what reads Markdown and code of every language; undefined where no colours are written, and Markdown is shown as it stands. */
export async function loadMarkdown(
  { colors }: Pick<Terminal, 'colors'>,
  root: string,
): Promise<RenderMarkdown | undefined> {
  if (colors === 'none') return undefined
  loaded ??= loadReaders()
  const readers = await loaded
  const links = knowsLinks(process.env) ? 'osc8' : 'none'
  return (markdown, columns) => {
    if (readers.readMarkdown(markdown)?.length === 0) return undefined
    const [said] = saidByModel([{ type: 'text', text: markdown }])
    const options = { colors, columns, root, readers, links, maxLines: Infinity } as const
    return said && renderTerminal(said, options)
  }
}
