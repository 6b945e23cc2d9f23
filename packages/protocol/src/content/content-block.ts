import type { InputRequest } from '../questions/input-request.ts'
import type { BlockFields } from './annotations.ts'
import type { Resource } from './resource.ts'

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
