import type { Resource, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderQuoted } from '../text/render-text.ts'
import { showUri } from '../text/show-address.ts'
import { sizeOf, sizeOfBase64 } from '../text/size-of.ts'

/** What the resource is, in one line, and its text; never what is formatted for a model. */
export function renderResource(resource: Resource, context: RenderContext): TerminalText {
  const header = renderHeader(resource, context)
  if (resource.text === undefined) return header
  return joinTerminal([header, renderQuoted(resource.text, context)], '\n')
}

/** Title, else name, else path in the workspace, else uri. A path or uri is never left out: a title may say anything. */
function renderHeader(resource: Resource, context: RenderContext): TerminalText {
  const { uri, title, name, mimeType, text, blob } = resource
  const address = showUri(uri, context)
  const label = [title, name].find((candidate) => candidate?.trim()) ?? address
  const facts = [
    label === address ? undefined : address,
    lineRange(uri),
    mimeType,
    text === undefined ? sizeOfBase64(blob) : sizeOf(Buffer.byteLength(text)),
  ]
  return renderFacts(label, facts, context)
}

/** The lines a fragment such as `#L10`, `#L10-20` or `#L10-L20` names. */
function lineRange(uri: string): string | undefined {
  const [, first, last] = /#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(uri) ?? []
  if (first === undefined) return undefined
  return last === undefined || last === first ? `line ${first}` : `lines ${first}-${last}`
}
