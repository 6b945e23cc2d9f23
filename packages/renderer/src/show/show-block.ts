import {
  getAudience,
  type AudioContent,
  type ContentBlock,
  type ImageContent,
  type InputRequest,
  type Resource,
  type ResourceLink,
  type TextContent,
} from '@toolblocks/protocol'
import {
  getLineRange,
  countBytes,
  formatByteSize,
  getBase64ByteLength,
  toLastState,
  isOmittedResourceLink,
} from '@toolblocks/protocol/internal'
import { collapseBlanks } from '../sanitize/sanitize-terminal-text.ts'
import { getKnown, showAddress, showFacts } from './show-facts.ts'
import type { ShowContext } from './show-context.ts'
import { showCode, showText } from './show-text.ts'
import type { ShownPart } from './shown-part.ts'
import { inferView } from './read-value.ts'

/** Maximum consecutive blanks in a question: enough to indent. */
const BLANKS = 20

/** Shows a block of a result that needs no decision. A block for the model alone is one line, unless everything is to be shown. */
export function showBlockOfResult(block: ContentBlock, context: ShowContext): ShownPart {
  const isCollapsed = context.collapsesModelBlocks && getAudience(block) === 'assistant'
  return isCollapsed
    ? showFacts(`${block.type} for the model, not shown`, [])
    : showBlock(block, context)
}

/** Shows one block to a person: text, bytes as one line, a link as one line that says it was not read. */
export function showBlock(block: ContentBlock, context: ShowContext): ShownPart {
  switch (block.type) {
    case 'text':
      return showTextBlock(block, context)
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

/** Shows text by its type; text without a type as a terminal shows it in the end. */
function showTextBlock({ text, mimeType }: TextContent, context: ShowContext): ShownPart {
  if (mimeType === undefined) return { kind: 'text', ...context.cut(toLastState(text).text) }
  const view = inferView({ mimeType, data: text })
  const isCode = view === 'markdown' || view === 'code'
  return showText(text, isCode ? view : 'text', { data: text, mimeType }, context)
}

/** Shows a resource in one line, and its text; never the text formatted for a model. */
function showResource(resource: Resource, context: ShowContext): ShownPart {
  const { uri, mimeType, text, blob } = resource
  const { name, address } = showAddress(resource, context.root)
  const bytes = text === undefined ? getBase64ByteLength(blob) : countBytes(text)
  const facts = getKnown([address, getLineRange(uri), mimeType, formatByteSize(bytes)])
  if (text === undefined) return showBytes(blob, { name, facts, mimeType })
  const path = uri.replace(/[?#].*$/s, '')
  return {
    kind: 'group',
    parts: [{ kind: 'facts', name, facts }, showCode(text, context, { mimeType, path })],
  }
}

function showBytes(
  base64: string,
  {
    name,
    facts,
    mimeType,
  }: { name: string; facts: readonly string[]; mimeType?: string | undefined },
): ShownPart {
  const media = /^(image|audio)\//i.exec(mimeType ?? '')?.[1]?.toLowerCase()
  return {
    kind: 'media',
    media: media === 'image' || media === 'audio' ? media : 'file',
    name,
    facts,
    ...(mimeType !== undefined && { mimeType }),
    base64,
  }
}

function showMedia({ type, mimeType, data }: ImageContent | AudioContent): ShownPart {
  const facts = getKnown([mimeType, formatByteSize(getBase64ByteLength(data))])
  return { kind: 'media', media: type, name: type, facts, mimeType, base64: data }
}

function showLink(link: ResourceLink, { root }: ShowContext): ShownPart {
  const { uri, mimeType, size, description } = link
  const { name, address } = showAddress(link, root)
  const bytes = size === undefined ? undefined : formatByteSize(size)
  const facts = getKnown([
    isOmittedResourceLink(link) ? 'content left out' : 'link, not read',
    address,
    mimeType,
    bytes,
    description,
  ])
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
