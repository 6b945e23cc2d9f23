import { field, has, isJsonObject, isNumber, isString, mayHave } from '../json/fields.ts'
import type { JsonObject } from '../json/json.ts'
import { isInputRequest } from '../questions/input-request.ts'
import { hasBlockFields } from './annotations.ts'
import type {
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  QuestionContent,
  ResourceLink,
  TextContent,
} from './content-block.ts'
import { isResource } from './resource.ts'

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
  const type = isJsonObject(value) ? field(value, 'type') : undefined
  return isContentType(type) && guards[type](value)
}

function isContentType(value: unknown): value is ContentBlock['type'] {
  return isString(value) && Object.hasOwn(guards, value)
}

function isBlock(value: unknown, type: ContentBlock['type']): value is JsonObject {
  return isJsonObject(value) && field(value, 'type') === type && hasBlockFields(value)
}
