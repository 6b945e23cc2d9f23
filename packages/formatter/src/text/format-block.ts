import {
  type OptionChoices,
  requireChoices,
  describeQuestion,
  getLineRange,
  isOmittedResourceLink,
  formatNote,
  isQuotedText,
  nameInNote,
  formatByteSize,
  getBase64ByteLength,
} from '@toolblocks/protocol/internal'
import { languageForMimeType } from '@toolblocks/media-type'
import {
  type AudioContent,
  type ContentBlock,
  type EmbeddedResource,
  type ImageContent,
  type Resource,
  type ResourceLink,
  getAudience,
  toWorkspacePath,
} from '@toolblocks/protocol'
import { oneLine } from './model-text.ts'
import { type ResultPart, codeFence } from './parts.ts'

/**
 * Formats one block for a model. Text and `formatted` are unchanged; text that a host quotes is in a fence; base64 is never text. `index`: that of the block in
 * its result; the line about bytes then names the block.
 */
export function formatBlock(
  block: ContentBlock,
  options: FormatOptions,
  index?: number,
): ResultPart {
  return getAudience(block) === 'user' ? formatForPerson(block) : formatWhole(block, options, index)
}

/** Content for the person alone is mentioned, so that the model knows that it exists. */
function formatForPerson(block: ContentBlock): ResultPart {
  const uri = block.type === 'resource' ? block.resource.uri : undefined
  return line('for the person only', [block.type, uri === undefined ? uri : nameInNote(uri)])
}

function formatWhole(block: ContentBlock, options: FormatOptions, index?: number): ResultPart {
  switch (block.type) {
    case 'text':
      return isQuotedText(block)
        ? { from: 'host', text: codeFence(block.text), quoted: block.text }
        : { from: 'tool', text: block.text }
    case 'resource':
      return formatResource(block, options, index)
    case 'image':
    case 'audio':
      return formatMedia(block, index)
    case 'resource_link':
      return formatLink(block)
    case 'question':
      return { from: 'host', text: describeQuestion(block.question) }
  }
}

/** `formatted` is unchanged, because its tool decided about its header. Otherwise a fence by MIME type, with the header that the host wants. */
function formatResource(
  block: EmbeddedResource,
  options: FormatOptions,
  index?: number,
): ResultPart {
  const { resource, formatted } = block
  if (formatted !== undefined) return { from: 'tool', text: formatted }
  const body = formatContent(block, index)
  if (options.resourceHeader !== 'name') return body
  return { ...body, text: `${resourceHeader(resource, options.root)}\n\n${body.text}` }
}

/** An unknown or absent MIME type gives a plain fence. The URI is never used to guess. */
function formatContent({ resource }: EmbeddedResource, index?: number): ResultPart {
  const { uri, mimeType } = resource
  if (resource.text !== undefined) {
    const language = mimeType === undefined ? '' : languageForMimeType(mimeType)
    return { from: 'host', text: codeFence(resource.text, language), quoted: resource.text }
  }
  const size = formatByteSize(getBase64ByteLength(resource.blob))
  return line(withName('resource', index), [nameInNote(uri), mimeType ?? 'unknown type', size])
}

function formatMedia(
  { type, data, mimeType }: ImageContent | AudioContent,
  index?: number,
): ResultPart {
  return line(withName(type, index), [mimeType, formatByteSize(getBase64ByteLength(data))])
}

/** The name of a block of a result in all lines about it; it is counted as for the tool that reads results. */
export function nameBlock(index: number): string {
  return `block ${index + 1}`
}

function withName(kind: string, index: number | undefined): string {
  return index === undefined ? kind : `${nameBlock(index)}, ${kind}`
}

function formatLink(link: ResourceLink): ResultPart {
  const { uri, title, name, mimeType, size, description } = link
  const bytes = size === undefined ? undefined : formatByteSize(size)
  // Earlier blocks of the result were read already.
  const what = isOmittedResourceLink(link) ? 'resource, content omitted' : 'resource link, not read'
  return line(what, [nameInNote(uri), title ?? name, mimeType, bytes, description])
}

function line(what: string, facts: readonly (string | undefined)[]): ResultPart {
  const texts = facts.filter((fact) => fact !== undefined).map(oneLine)
  const list = texts.filter((fact) => fact !== '').join(', ')
  return { from: 'host', text: formatNote(`${what}: ${list}`) }
}

/** Describes a resource in one line: its title or name, which several resources may share, its path in the workspace or URI, and its lines. */
function resourceHeader({ uri, title, name }: Resource, root: string | undefined): string {
  const location = oneLine((root === undefined ? undefined : toWorkspacePath(uri, root)) ?? uri)
  const label = [title, name].map((text) => oneLine(text ?? '')).find((text) => text !== '')
  const facts = [...(label === location ? [] : [label]), location, getLineRange(uri)].filter(
    (fact) => fact !== undefined,
  )
  const [first = '', ...others] = facts
  return `Resource ${first}${others.length === 0 ? '' : ` (${others.join(', ')})`}:`
}

/** How structured content is delivered beside the blocks (`docs/protocol.md`, "What a model receives"). */
export type StructuredPolicy = 'auto' | 'content' | 'structured' | 'both'

/** The words of the options of `FormatOptions`. */
const FORMAT_CHOICES = {
  structured: ['auto', 'content', 'structured', 'both'],
  resourceHeader: ['none', 'name'],
} as const satisfies OptionChoices<FormatOptions>

/** Checks the options of a public function that formats; `call` is the function as a caller writes it, and `argument` the name of the options in it. */
export function requireFormatOptions(
  call: string,
  argument: string,
  options: FormatOptions | undefined,
): void {
  requireChoices(call, argument, options, FORMAT_CHOICES)
}

/** Options for formatting results for a model. */
export interface FormatOptions {
  /**
   * How `structuredContent` is delivered. `auto` (default): it is added, unless a text block has the same JSON, or it is a semantic value with text
   * beside it. `content`: it is omitted. `structured`: it replaces text. `both`: it is always added. Media and links are always delivered. Omitted
   * content that no text repeats is mentioned in one line, or delivered if there is nothing else.
   */
  structured?: StructuredPolicy
  /**
   * `name`: a line before each resource with its title or name, its path or URI, and its line range, but not before one with `formatted`. Default:
   * `none`.
   */
  resourceHeader?: 'none' | 'name'
  /** Absolute path of the workspace, so that headers show relative paths. */
  root?: string
  /** Whether the causes of an error (`trace`) follow its text, at most 20 and 2,000 characters. Default: true. */
  errorTrace?: boolean
}
