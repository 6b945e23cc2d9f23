import { type FileContentValue, type TerminalText, sizeInWords } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderQuoted } from '../text/render-text.ts'
import { showPath } from '../text/show-address.ts'

/** A file: its path and size, and below it the text; `name`: without it, as for bytes. */
export function renderFileContent(
  { path, content, size, encoding }: FileContentValue['data'],
  parts: 'whole' | 'name',
  context: RenderContext,
): TerminalText {
  const name = showPath(path, context)
  const header = renderFacts(name, [sizeInWords(size), encoding], context)
  if (parts === 'name' || encoding === 'base64') return header
  return joinTerminal([header, renderQuoted(content, context)], '\n')
}
