import { Type } from 'typebox'
import type {
  Annotations,
  AudioContent,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  QuestionContent,
  Resource,
  ResourceLink,
  TextContent,
} from '../content/content-block.ts'
import type { InputRequest } from '../content/input-request.ts'
import { type Answer, type Answers, CANCEL_REASONS } from '../questions/answer.ts'
import { JsonObjectSchema, JsonSchemaSchema } from './json-schemas.support.ts'

/** Schema of `Annotations`. */
export const AnnotationsSchema = Type.Unsafe<Annotations>(
  Type.Object({
    audience: Type.Optional(Type.Array(Type.Enum(['user', 'assistant']))),
    priority: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    lastModified: Type.Optional(Type.String()),
  }),
)

const blockFields = {
  annotations: Type.Optional(AnnotationsSchema),
  _meta: Type.Optional(JsonObjectSchema),
}

const resourceFields = {
  ...blockFields,
  uri: Type.String(),
  mimeType: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
}

const absent = Type.Optional(Type.Never())

/** Schema of `Resource`. */
export const ResourceSchema = Type.Unsafe<Resource>(
  Type.Union([
    Type.Object({ ...resourceFields, text: Type.String(), blob: absent }),
    Type.Object({ ...resourceFields, blob: Type.String(), text: absent }),
  ]),
)

/** Schema of `TextContent`. */
export const TextContentSchema = Type.Unsafe<TextContent>(
  Type.Object({
    type: Type.Literal('text'),
    text: Type.String(),
    mimeType: Type.Optional(Type.String()),
    ...blockFields,
  }),
)

/** Schema of `ImageContent`. */
export const ImageContentSchema = Type.Unsafe<ImageContent>(
  Type.Object({
    type: Type.Literal('image'),
    data: Type.String({ contentEncoding: 'base64' }),
    mimeType: Type.String(),
    ...blockFields,
  }),
)

/** Schema of `AudioContent`. */
export const AudioContentSchema = Type.Unsafe<AudioContent>(
  Type.Object({
    type: Type.Literal('audio'),
    data: Type.String({ contentEncoding: 'base64' }),
    mimeType: Type.String(),
    ...blockFields,
  }),
)

/** Schema of `ResourceLink`. */
export const ResourceLinkSchema = Type.Unsafe<ResourceLink>(
  Type.Object({
    type: Type.Literal('resource_link'),
    uri: Type.String(),
    name: Type.String(),
    title: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    mimeType: Type.Optional(Type.String()),
    size: Type.Optional(Type.Number()),
    ...blockFields,
  }),
)

/** Schema of `EmbeddedResource`. */
export const EmbeddedResourceSchema = Type.Unsafe<EmbeddedResource>(
  Type.Object({
    type: Type.Literal('resource'),
    resource: ResourceSchema,
    formatted: Type.Optional(Type.String()),
    ...blockFields,
  }),
)

/** Schema of `InputRequest`. */
export const InputRequestSchema = Type.Unsafe<InputRequest>(
  Type.Object({
    id: Type.String(),
    text: Type.String(),
    schema: JsonSchemaSchema,
    default: Type.Optional(Type.Unknown()),
    url: Type.Optional(Type.String()),
  }),
)

/** Schema of `QuestionContent`. */
export const QuestionContentSchema = Type.Unsafe<QuestionContent>(
  Type.Object({
    type: Type.Literal('question'),
    question: InputRequestSchema,
    ...blockFields,
  }),
)

/** Schema of `ContentBlock`. */
export const ContentBlockSchema = Type.Unsafe<ContentBlock>(
  Type.Union([
    TextContentSchema,
    ImageContentSchema,
    AudioContentSchema,
    ResourceLinkSchema,
    EmbeddedResourceSchema,
    QuestionContentSchema,
  ]),
)

/** Schema of `Answers`. */
export const AnswersSchema = Type.Unsafe<Answers>(JsonObjectSchema)

/** Schema of `Answer`. */
export const AnswerSchema = Type.Unsafe<Answer>(
  Type.Union([
    Type.Object({ action: Type.Literal('accept'), value: Type.Unknown() }),
    Type.Object({ action: Type.Literal('decline') }),
    Type.Object({
      action: Type.Literal('cancel'),
      reason: Type.Enum([...CANCEL_REASONS]),
      message: Type.Optional(Type.String()),
    }),
  ]),
)
