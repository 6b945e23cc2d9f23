import { languageForMimeType } from '@toolblocks/media-type'
import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ModelText,
  QuestionContent,
  ResourceLink,
} from '@toolblocks/protocol'
import { codeFence } from '../code-fence.ts'
import type { FormatOptions } from '../format-options.ts'
import { toModelText } from '../model-text.ts'
import { oneLine } from '../one-line.ts'
import { resourceHeader } from './resource-header.ts'
import { formatBytes, sizeOfBase64 } from './size-of-base64.ts'

/** One block as a model reads it. Text and `formatted` arrive character for character; base64 never does. */
export function formatBlock(block: ContentBlock, options: FormatOptions): ModelText {
  switch (block.type) {
    case 'text':
      return toModelText(block.text)
    case 'resource':
      return formatResource(block, options)
    case 'image':
    case 'audio':
      return formatMedia(block)
    case 'resource_link':
      return formatLink(block)
    case 'question':
      return formatQuestion(block)
  }
}

/** A fence by mime type; an unknown or absent one is a plain fence, never a guess from the uri. */
function formatResource(block: EmbeddedResource, options: FormatOptions): ModelText {
  const { resource, formatted } = block
  const body = formatted === undefined ? formatContent(block) : toModelText(formatted)
  if (options.resourceHeader !== 'name') return body
  return toModelText(`${resourceHeader(resource, options.root)}\n\n${body}`)
}

function formatContent({ resource }: EmbeddedResource): ModelText {
  const { mimeType } = resource
  if (resource.text !== undefined)
    return codeFence(resource.text, mimeType === undefined ? '' : languageForMimeType(mimeType))
  const type = mimeType ?? 'unknown type'
  return line('resource', [resource.uri, type, sizeOfBase64(resource.blob)])
}

function formatMedia({ type, data, mimeType }: ImageContent | AudioContent): ModelText {
  return line(type, [mimeType, sizeOfBase64(data)])
}

function formatLink({ uri, title, name, mimeType, size, description }: ResourceLink): ModelText {
  const bytes = size === undefined ? undefined : formatBytes(size)
  return line('resource link, not read', [uri, title ?? name, mimeType, bytes, description])
}

function formatQuestion({ question }: QuestionContent): ModelText {
  return line('question', [question.id, question.text])
}

function line(what: string, facts: readonly (string | undefined)[]): ModelText {
  const shown = facts.filter((fact) => fact !== undefined).map(oneLine)
  return toModelText(`[${what}: ${shown.filter((fact) => fact !== '').join(', ')}]`)
}
