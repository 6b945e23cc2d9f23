import type {
  AudioContent,
  ContentBlock,
  ImageContent,
  ResourceLink,
  TerminalText,
} from '@toolblocks/protocol'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderText } from '../text/render-text.ts'
import { showUri } from '../text/show-address.ts'
import { sizeOf, sizeOfBase64 } from '../text/size-of.ts'
import { renderQuestion } from './render-question.ts'
import { renderResource } from './render-resource.ts'

/** One block as a person reads it: text as it is, bytes as one line, a link as one line that says it was not read. */
export function renderBlock(block: ContentBlock, context: RenderContext): TerminalText {
  switch (block.type) {
    case 'text':
      return renderText(block.text, context)
    case 'resource':
      return renderResource(block.resource, context)
    case 'image':
    case 'audio':
      return renderMedia(block, context)
    case 'resource_link':
      return renderLink(block, context)
    case 'question':
      return renderQuestion(block.question, context)
  }
}

function renderMedia(block: ImageContent | AudioContent, context: RenderContext): TerminalText {
  const { type, mimeType, data } = block
  return renderFacts(type, [mimeType, sizeOfBase64(data)], context)
}

function renderLink(link: ResourceLink, context: RenderContext): TerminalText {
  const { uri, title, name, mimeType, size, description } = link
  const address = showUri(uri, context)
  const label = [title, name].find((text) => text?.trim()) ?? address
  const facts = [
    'link, not read',
    label === address ? undefined : address,
    mimeType,
    size === undefined ? undefined : sizeOf(size),
    description,
  ]
  return renderFacts(label, facts, context)
}
