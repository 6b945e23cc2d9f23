import type { Resource, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderQuoted } from '../text/render-text.ts'
import { showAddress } from '../text/show-address.ts'
import { sizeOf, sizeOfBase64 } from '../text/size-of.ts'

/** What the resource is, in one line, and its text; never what is formatted for a model. */
export function renderResource(resource: Resource, context: RenderContext): TerminalText {
  const { uri, mimeType, text, blob } = resource
  const { name, place } = showAddress(resource, context)
  const size = text === undefined ? sizeOfBase64(blob) : sizeOf(Buffer.byteLength(text))
  const header = renderFacts(name, [place, lineRange(uri), mimeType, size], context)
  return text === undefined ? header : joinTerminal([header, renderQuoted(text, context)], '\n')
}

/** The lines a fragment such as `#L10`, `#L10-20` or `#L10-L20` names. */
function lineRange(uri: string): string | undefined {
  const [, first, last] = /#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(uri) ?? []
  if (first === undefined) return undefined
  return last === undefined || last === first ? `line ${first}` : `lines ${first}-${last}`
}
