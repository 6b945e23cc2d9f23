import {
  type Resource,
  type TerminalText,
  sizeInWords,
  sizeOfBase64,
  lineRange,
} from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderQuoted } from '../text/render-text.ts'
import { showAddress } from '../text/show-address.ts'

/** What the resource is, in one line, and its text; never what is formatted for a model. */
export function renderResource(resource: Resource, context: RenderContext): TerminalText {
  const { uri, mimeType, text, blob } = resource
  const { name, place } = showAddress(resource, context)
  const size =
    text === undefined ? sizeInWords(sizeOfBase64(blob)) : sizeInWords(Buffer.byteLength(text))
  const header = renderFacts(name, [place, lineRange(uri), mimeType, size], context)
  return text === undefined ? header : joinTerminal([header, renderQuoted(text, context)], '\n')
}
