import {
  audienceOf,
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  type InputRequest,
  lineRange,
  type Resource,
  type ResourceLink,
  sizeInWords,
  sizeOfBase64,
} from '@toolblocks/protocol'
import { collapseBlanks } from '../sanitize/collapse-blanks.ts'
import { showAddress } from './show-address.ts'
import type { ShowContext } from './show-context.ts'
import { knownOf, showCode, showFacts } from './show-facts.ts'
import type { ShownPart } from './shown-part.ts'

/** Blanks in a row that are shown of a question: enough to indent. */
const BLANKS = 20

/** A block of a result that no decision hangs on: one for the model alone is one line, unless everything is to be shown. */
export function showBlockOfResult(block: ContentBlock, context: ShowContext): ShownPart {
  const isCollapsed = context.collapsesModelBlocks && audienceOf(block) === 'assistant'
  return isCollapsed ? showFacts('for the model', [block.type]) : showBlock(block, context)
}

/** One block as a person reads it: text as it is, bytes as one line, a link as one line that says it was not read. */
export function showBlock(block: ContentBlock, context: ShowContext): ShownPart {
  switch (block.type) {
    case 'text':
      return { kind: 'text', ...context.cut(block.text) }
    case 'resource':
      return showResource(block.resource, context)
    case 'image':
    case 'audio':
      return showMedia(block)
    case 'resource_link':
      return showLink(block, context)
    case 'question':
      return showQuestion(block.question, context)
  }
}

/** What the resource is, in one line, and its text; never what is formatted for a model. */
function showResource(resource: Resource, { root, cut }: ShowContext): ShownPart {
  const { uri, mimeType, text, blob } = resource
  const { name, place } = showAddress(resource, root)
  const bytes = text === undefined ? sizeOfBase64(blob) : Buffer.byteLength(text)
  const header = showFacts(name, [place, lineRange(uri), mimeType, sizeInWords(bytes)])
  if (text === undefined) return header
  return { kind: 'group', parts: [header, showCode(text, cut, mimeType)] }
}

function showMedia({ type, mimeType, data }: ImageContent | AudioContent): ShownPart {
  return showFacts(type, [mimeType, sizeInWords(sizeOfBase64(data))])
}

function showLink(link: ResourceLink, { root }: ShowContext): ShownPart {
  const { uri, mimeType, size, description } = link
  const { name, place } = showAddress(link, root)
  const bytes = size === undefined ? undefined : sizeInWords(size)
  const facts = knownOf(['link, not read', place, mimeType, bytes, description])
  return { kind: 'link', name, uri, facts }
}

function showQuestion({ id, text, url }: InputRequest, { cutLate }: ShowContext): ShownPart {
  return {
    kind: 'question',
    id,
    isLine: !text.includes('\n'),
    ...(url !== undefined && { url }),
    ...cutLate(collapseBlanks(text, BLANKS)),
  }
}
