import {
  audienceOf,
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  type ResourceLink,
  type TerminalText,
  sizeInWords,
  sizeOfBase64,
} from '@toolblocks/protocol'
import type { RenderContext } from '../render-context.ts'
import { renderFacts } from '../text/render-facts.ts'
import { renderText } from '../text/render-text.ts'
import { showAddress } from '../text/show-address.ts'
import { renderQuestion } from './render-question.ts'
import { renderResource } from './render-resource.ts'

/** A block of a result that no decision hangs on: one for the model alone is one line, unless everything is to be shown. */
export function renderBlockOfResult(block: ContentBlock, context: RenderContext): TerminalText {
  const isCollapsed = context.collapsesModelBlocks && audienceOf(block) === 'assistant'
  return isCollapsed
    ? renderFacts('for the model', [block.type], context)
    : renderBlock(block, context)
}

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
  return renderFacts(type, [mimeType, sizeInWords(sizeOfBase64(data))], context)
}

function renderLink(link: ResourceLink, context: RenderContext): TerminalText {
  const { mimeType, size, description } = link
  const { name, place } = showAddress(link, context)
  const bytes = size === undefined ? undefined : sizeInWords(size)
  return renderFacts(name, ['link, not read', place, mimeType, bytes, description], context)
}
