import { requireArguments } from '../text/require-arguments.ts'
import {
  type JsonObject,
  type Meta,
  getOwnField,
  has,
  isArrayOf,
  isJsonObject,
  isNumber,
  isOneOf,
  isString,
  mayHave,
} from '../json/json.ts'
import { type InputRequest, isInputRequest } from './input-request.ts'
import { META_IDENTITY, META_QUOTED } from './meta-keys.ts'

/** Text for the model, unchanged. The tool controls its formatting. */
export interface TextContent extends BlockFields {
  type: 'text'
  /** May be empty. */
  text: string
  /** Absent: plain text. Affects only the presentation to a person. */
  mimeType?: string
}

/** An image without a name. */
export interface ImageContent extends BlockFields {
  type: 'image'
  /** Base64, standard alphabet, padded. */
  data: string
  /** For example `image/png`. */
  mimeType: string
}

/** A recording without a name. */
export interface AudioContent extends BlockFields {
  type: 'audio'
  /** Base64, standard alphabet, padded. */
  data: string
  /** For example `audio/wav`. */
  mimeType: string
}

/** A reference to a resource that was not sent. It is never fetched without permission. */
export interface ResourceLink extends BlockFields {
  type: 'resource_link'
  /** As it was sent; not canonical. */
  uri: string
  /** For programs; `title` is for people. */
  name: string
  title?: string
  description?: string
  mimeType?: string
  /** A recording without a name. */
  size?: number
}

/** A resource inside a result. The host controls its formatting, unless `formatted` is set. */
export interface EmbeddedResource extends BlockFields {
  type: 'resource'
  /** The resource that the host identifies, also if `formatted` is set. */
  resource: Resource
  /** The text that a model receives instead of the host's formatting, unchanged. It is not part of the resource's identity. */
  formatted?: string
}

/** A request for input. The blocks before it are its context. */
export interface QuestionContent extends BlockFields {
  type: 'question'
  question: InputRequest
}

/** One item of a result's `content`. The order has meaning and is always kept. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource
  | QuestionContent

/** Whether a value is a `TextContent`. */
export function isTextContent(value: unknown): value is TextContent {
  return (
    isBlock(value, 'text') && has(value, 'text', isString) && mayHave(value, 'mimeType', isString)
  )
}

/** Whether a value is an `ImageContent`. The content of `data` is not checked. */
export function isImageContent(value: unknown): value is ImageContent {
  return isBlock(value, 'image') && has(value, 'data', isString) && has(value, 'mimeType', isString)
}

/** Whether a value is an `AudioContent`. The content of `data` is not checked. */
export function isAudioContent(value: unknown): value is AudioContent {
  return isBlock(value, 'audio') && has(value, 'data', isString) && has(value, 'mimeType', isString)
}

/** Whether a value is a `ResourceLink`. */
export function isResourceLink(value: unknown): value is ResourceLink {
  return (
    isBlock(value, 'resource_link') &&
    has(value, 'uri', isString) &&
    has(value, 'name', isString) &&
    mayHave(value, 'title', isString) &&
    mayHave(value, 'description', isString) &&
    mayHave(value, 'mimeType', isString) &&
    mayHave(value, 'size', isNumber)
  )
}

/** Whether a value is an `EmbeddedResource`. */
export function isEmbeddedResource(value: unknown): value is EmbeddedResource {
  return (
    isBlock(value, 'resource') &&
    has(value, 'resource', isResource) &&
    mayHave(value, 'formatted', isString)
  )
}

/** Whether a value is a `QuestionContent`. */
export function isQuestionContent(value: unknown): value is QuestionContent {
  return isBlock(value, 'question') && has(value, 'question', isInputRequest)
}

const guards: Readonly<Record<ContentBlock['type'], (value: unknown) => value is ContentBlock>> = {
  text: isTextContent,
  image: isImageContent,
  audio: isAudioContent,
  resource_link: isResourceLink,
  resource: isEmbeddedResource,
  question: isQuestionContent,
}

/** Whether a value is a valid block of one of the six types of `ContentBlock`. */
export function isContentBlock(value: unknown): value is ContentBlock {
  const type = isJsonObject(value) ? getOwnField(value, 'type') : undefined
  return isContentType(type) && guards[type](value)
}

function isContentType(value: unknown): value is ContentBlock['type'] {
  return isString(value) && Object.hasOwn(guards, value)
}

function isBlock(value: unknown, type: ContentBlock['type']): value is JsonObject {
  return isJsonObject(value) && getOwnField(value, 'type') === type && hasBlockFields(value)
}

/** The fields that resources with text and with bytes share. */
interface ResourceFields extends BlockFields {
  /** As it was sent. Its canonical form is in `ResultMetadata.resources`. */
  uri: string
  mimeType?: string
  name?: string
  title?: string
  description?: string
}

/** An identified resource, as text or as base64 in `blob`: exactly one of the two. */
export type Resource =
  | (ResourceFields & { text: string; blob?: never })
  | (ResourceFields & { blob: string; text?: never })

/** Whether a value is a `Resource`. The content of `blob` and the syntax of `uri` are not checked. */
export function isResource(value: unknown): value is Resource {
  return (
    isJsonObject(value) &&
    has(value, 'uri', isString) &&
    mayHave(value, 'mimeType', isString) &&
    mayHave(value, 'name', isString) &&
    mayHave(value, 'title', isString) &&
    mayHave(value, 'description', isString) &&
    mayHave(value, 'text', isString) &&
    mayHave(value, 'blob', isString) &&
    Object.hasOwn(value, 'text') !== Object.hasOwn(value, 'blob') &&
    hasBlockFields(value)
  )
}

/** MCP's hints about the audience of a block. They are passed on, and never used for permissions. */
export interface Annotations {
  /** Who the block is for. Absent or both: everyone. */
  audience?: ('user' | 'assistant')[]
  /** 0 (least) to 1 (most important). */
  priority?: number
  /** ISO 8601 date and time in MCP. Any text is kept, because servers write dates in many formats. */
  lastModified?: string
}

/** Fields that every block and every resource may have. */
interface BlockFields {
  annotations?: Annotations
  _meta?: Meta
}

/** Whether a value is an `audience`: an array of `user` and `assistant`. */
export function isAudience(value: unknown): value is ('user' | 'assistant')[] {
  return isArrayOf(isOneOf(['user', 'assistant']))(value)
}

/** Whether a value is a `priority`: a number from 0 to 1. */
export function isPriority(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= 1
}

/** Whether a value is an `Annotations`. */
export function isAnnotations(value: unknown): value is Annotations {
  return (
    isJsonObject(value) &&
    mayHave(value, 'audience', isAudience) &&
    mayHave(value, 'priority', isPriority) &&
    mayHave(value, 'lastModified', isString)
  )
}

/** Whether an object's `annotations` and `_meta` are absent or valid. */
function hasBlockFields(value: Readonly<Record<string, unknown>>): boolean {
  return mayHave(value, 'annotations', isAnnotations) && mayHave(value, '_meta', isJsonObject)
}

/** Returns the audience of a block by `annotations.audience`. Both, or none, is everyone. */
export function getAudience(block: ContentBlock): 'everyone' | 'user' | 'assistant' {
  requireArguments('getAudience(block)', [block, 'object'])
  const { annotations } = block
  const audience = annotations?.audience ?? []
  const [only] = audience
  return only !== undefined && audience.every((role) => role === only) ? only : 'everyone'
}

/** Whether a link replaces a resource that was removed from a result. Such a link cannot be read. */
export function isOmittedResourceLink({ _meta: meta }: Pick<ResourceLink, '_meta'>): boolean {
  return isJsonObject(meta) && Object.hasOwn(meta, META_IDENTITY)
}

/** Returns the text of a block: of a text block, or of a resource with text. */
export function getText(block: ContentBlock): string | undefined {
  requireArguments('getText(block)', [block, 'object'])
  if (block.type === 'text') return block.text
  return block.type === 'resource' ? block.resource.text : undefined
}

/**
 * Creates the blocks of a host's sentence and a quotation: the sentence, then the text of a server or a program as a block that a model reads in a
 * fence. Blank text is not quoted.
 */
export function createQuotingBlocks(sentence: string, quoted = ''): readonly ContentBlock[] {
  const block: ContentBlock = { type: 'text', text: sentence }
  return quoted.trim() === ''
    ? [block]
    : [block, { type: 'text', text: quoted, _meta: { [META_QUOTED]: true } }]
}

/** Whether a text block is a quotation. A tool that marks its own text this way puts it into a fence, where it can do less than outside. */
export function isQuotedText({ _meta: meta }: TextContent): boolean {
  return isJsonObject(meta) && Object.hasOwn(meta, META_QUOTED) && meta[META_QUOTED] === true
}
