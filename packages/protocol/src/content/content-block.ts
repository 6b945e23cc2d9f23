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

/** Text for the model as it stands; the tool owns its formatting. */
export interface TextContent extends BlockFields {
  type: 'text'
  /** May be empty. */
  text: string
  /** Absent: plain text. Informs presentation to a person, never delivery to a model. */
  mimeType?: string
}

/** A picture without a name. */
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

/** A pointer to a resource that was not sent. Nobody fetches it unasked. */
export interface ResourceLink extends BlockFields {
  type: 'resource_link'
  /** As it was said; not canonical. */
  uri: string
  /** For programs; `title` is for people. */
  name: string
  title?: string
  description?: string
  mimeType?: string
  /** Bytes, where the sender knows. */
  size?: number
}

/** Identified content inside a result: the host owns its formatting unless `formatted` says how. */
export interface EmbeddedResource extends BlockFields {
  type: 'resource'
  /** What the host knows the content by, also where `formatted` stands beside it. */
  resource: Resource
  /** What a model gets, verbatim, instead of the host's formatting. Never part of the resource's identity. */
  formatted?: string
}

/** A request for input; the blocks before it are its context. */
export interface QuestionContent extends BlockFields {
  type: 'question'
  question: InputRequest
}

/** One item of a result's `content`. Order carries meaning and is always kept. */
export type ContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ResourceLink
  | EmbeddedResource
  | QuestionContent

/** Says whether a value is a `TextContent`. */
export function isTextContent(value: unknown): value is TextContent {
  return (
    isBlock(value, 'text') && has(value, 'text', isString) && mayHave(value, 'mimeType', isString)
  )
}

/** Says whether a value is an `ImageContent`. What `data` encodes is not checked. */
export function isImageContent(value: unknown): value is ImageContent {
  return isBlock(value, 'image') && has(value, 'data', isString) && has(value, 'mimeType', isString)
}

/** Says whether a value is an `AudioContent`. What `data` encodes is not checked. */
export function isAudioContent(value: unknown): value is AudioContent {
  return isBlock(value, 'audio') && has(value, 'data', isString) && has(value, 'mimeType', isString)
}

/** Says whether a value is a `ResourceLink`. */
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

/** Says whether a value is an `EmbeddedResource`. */
export function isEmbeddedResource(value: unknown): value is EmbeddedResource {
  return (
    isBlock(value, 'resource') &&
    has(value, 'resource', isResource) &&
    mayHave(value, 'formatted', isString)
  )
}

/** Says whether a value is a `QuestionContent`. */
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

/** Says whether a value is one of the six types of `ContentBlock`, well formed. */
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

/** What resources with text and with bytes have in common. */
interface ResourceFields extends BlockFields {
  /** As it was said; its canonical form is in `ResultMetadata.resources`. */
  uri: string
  mimeType?: string
  name?: string
  title?: string
  description?: string
}

/** Identified content, as text or as base64 in `blob`: one of the two, never both. */
export type Resource =
  | (ResourceFields & { text: string; blob?: never })
  | (ResourceFields & { blob: string; text?: never })

/** Says whether a value is a `Resource`. What `blob` encodes and whether `uri` is one are not checked. */
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

/** MCP's hints on who a block is for. Carried, never trusted for permissions. */
export interface Annotations {
  /** Whom the block is for; absent or both: everyone. */
  audience?: ('user' | 'assistant')[]
  /** 0 (least) to 1 (most important). */
  priority?: number
  /** ISO 8601 date and time, by MCP; any text is kept, as servers write dates in many ways. */
  lastModified?: string
}

/** What every block and every resource may carry. */
interface BlockFields {
  annotations?: Annotations
  _meta?: Meta
}

/** Says whether a value is an `audience`: an array of `user` and `assistant`. */
export function isAudience(value: unknown): value is ('user' | 'assistant')[] {
  return isArrayOf(isOneOf(['user', 'assistant']))(value)
}

/** Says whether a value is a `priority`: a number from 0 to 1. */
export function isPriority(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= 1
}

/** Says whether a value is an `Annotations`. */
export function isAnnotations(value: unknown): value is Annotations {
  return (
    isJsonObject(value) &&
    mayHave(value, 'audience', isAudience) &&
    mayHave(value, 'priority', isPriority) &&
    mayHave(value, 'lastModified', isString)
  )
}

/** Says whether an object's `annotations` and `_meta` are absent or well formed. */
function hasBlockFields(value: Readonly<Record<string, unknown>>): boolean {
  return mayHave(value, 'annotations', isAnnotations) && mayHave(value, '_meta', isJsonObject)
}

/** Whom a block is for, by `annotations.audience`; both, or nobody named, is everyone. */
export function getAudience({ annotations }: ContentBlock): 'everyone' | 'user' | 'assistant' {
  const audience = annotations?.audience ?? []
  const [only] = audience
  return only !== undefined && audience.every((role) => role === only) ? only : 'everyone'
}

/** Says whether a link stands for a resource that a result held, and whose content was left out of it since: it leads to nothing that could be read. */
export function isOmittedResourceLink({ _meta: meta }: Pick<ResourceLink, '_meta'>): boolean {
  return isJsonObject(meta) && Object.hasOwn(meta, META_IDENTITY)
}

/** The text that a block carries: a text, or a resource that is one. */
export function getText(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'resource' ? block.resource.text : undefined
}

/**
 * The blocks of what a host says and quotes: its own sentence, then what a server or a program said, as a block of its own that
 * a model reads in a fence. Blank text is not quoted.
 */
export function createQuotingBlocks(sentence: string, quoted = ''): readonly ContentBlock[] {
  const said: ContentBlock = { type: 'text', text: sentence }
  return quoted.trim() === ''
    ? [said]
    : [said, { type: 'text', text: quoted, _meta: { [META_QUOTED]: true } }]
}

/** Whether a text block quotes. A tool that marks its own text so puts it in a fence, where it can do less than outside. */
export function isQuotedText({ _meta: meta }: TextContent): boolean {
  return isJsonObject(meta) && Object.hasOwn(meta, META_QUOTED) && meta[META_QUOTED] === true
}
