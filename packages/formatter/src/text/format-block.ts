import { languageForMimeType } from '@toolblocks/media-type'
import {
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type Resource,
  type ResourceLink,
  getAudience,
  describeQuestion,
  isOmittedResourceLink,
  isQuotedText,
  getLineRange,
  formatByteSize,
  getBase64ByteLength,
  toWorkspacePath,
} from '@toolblocks/protocol'
import { oneLine } from './model-text.ts'
import { type Part, codeFence } from './parts.ts'

/** One block as a model reads it. Text and `formatted` arrive character for character, what a host quotes in a fence; base64 never does. */
export function formatBlock(block: ContentBlock, options: FormatOptions): Part {
  return getAudience(block) === 'user' ? formatForPerson(block) : formatWhole(block, options)
}

/** What is for the person alone is named, so that the model knows that there is something. */
function formatForPerson(block: ContentBlock): Part {
  const uri = block.type === 'resource' ? block.resource.uri : undefined
  return line('for the person only', [block.type, uri])
}

function formatWhole(block: ContentBlock, options: FormatOptions): Part {
  switch (block.type) {
    case 'text':
      return isQuotedText(block)
        ? { from: 'host', text: codeFence(block.text) }
        : { from: 'tool', text: block.text }
    case 'resource':
      return formatResource(block, options)
    case 'image':
    case 'audio':
      return formatMedia(block)
    case 'resource_link':
      return formatLink(block)
    case 'question':
      return { from: 'host', text: describeQuestion(block.question) }
  }
}

/** `formatted` as it is: its tool has decided what stands above it. Else a fence by mime type, under a header where the host wants one. */
function formatResource(block: EmbeddedResource, options: FormatOptions): Part {
  const { resource, formatted } = block
  if (formatted !== undefined) return { from: 'tool', text: formatted }
  const body = formatContent(block)
  if (options.resourceHeader !== 'name') return body
  return { ...body, text: `${resourceHeader(resource, options.root)}\n\n${body.text}` }
}

/** An unknown or absent mime type is a plain fence, never a guess from the uri. */
function formatContent({ resource }: EmbeddedResource): Part {
  const { mimeType } = resource
  if (resource.text !== undefined) {
    const language = mimeType === undefined ? '' : languageForMimeType(mimeType)
    return { from: 'host', text: codeFence(resource.text, language) }
  }
  const type = mimeType ?? 'unknown type'
  return line('resource', [resource.uri, type, formatByteSize(getBase64ByteLength(resource.blob))])
}

function formatMedia({ type, data, mimeType }: ImageContent | AudioContent): Part {
  return line(type, [mimeType, formatByteSize(getBase64ByteLength(data))])
}

function formatLink(link: ResourceLink): Part {
  const { uri, title, name, mimeType, size, description } = link
  const bytes = size === undefined ? undefined : formatByteSize(size)
  // What stood in the result before has been read.
  const what = isOmittedResourceLink(link)
    ? 'resource, content left out'
    : 'resource link, not read'
  return line(what, [uri, title ?? name, mimeType, bytes, description])
}

function line(what: string, facts: readonly (string | undefined)[]): Part {
  const shown = facts.filter((fact) => fact !== undefined).map(oneLine)
  return { from: 'host', text: `[${what}: ${shown.filter((fact) => fact !== '').join(', ')}]` }
}

/** Names a resource in one line: title, else name, else path in the workspace, else uri; and its lines. */
function resourceHeader(resource: Resource, root: string | undefined): string {
  const path = root === undefined ? undefined : toWorkspacePath(resource.uri, root)
  const name =
    [resource.title, resource.name, path, resource.uri].find(
      (text) => text !== undefined && oneLine(text) !== '',
    ) ?? ''
  const lines = getLineRange(resource.uri)
  return `Resource ${oneLine(name)}${lines === undefined ? '' : ` (${lines})`}:`
}

/** How structured content is delivered beside the blocks (`docs/protocol.md`, "What a model gets"). */
export type StructuredPolicy = 'auto' | 'content' | 'structured' | 'both'

/** How results are formatted for a model. */
export interface FormatOptions {
  /**
   * What becomes of `structuredContent`. `auto` (default): it is added, unless a text block carries the same JSON or it is a
   * semantic value with text beside it. `content`: left out. `structured`: replaces text. `both`: always added. Media and links
   * are delivered in any case. What is left out and no text carries is named in one line, or delivered if there is nothing else.
   */
  structured?: StructuredPolicy
  /** `name`: a line before each resource with its title, name, path or uri, and its line range, but not before one with `formatted`. Default: `none`. */
  resourceHeader?: 'none' | 'name'
  /** Absolute path of the workspace, so that headers show paths relative to it. */
  root?: string
}
