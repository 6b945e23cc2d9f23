import { Type } from 'typebox'
import { type Delivery, DELIVERY_FORMS, DELIVERY_WAYS } from '../conversation/delivery.ts'
import {
  type BlobRef,
  HANDLE_PARTIES,
  OUTCOMES,
  type ResourceIdentity,
  type ResultMetadata,
  STATUSES,
  type ToolResult,
} from '../tools/tool-result.ts'
import type { ToolCall } from '../tools/tool-call.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import { ContentBlockSchema } from './content-schemas.support.ts'
import {
  CountSchema,
  JsonObjectSchema,
  JsonSchemaSchema,
  ProblemSchema,
  Sha256Schema,
} from './json-schemas.support.ts'

const blobFields = { sha256: Sha256Schema, bytes: CountSchema }

/** Schema of `BlobRef`. */
export const BlobRefSchema = Type.Unsafe<BlobRef>(Type.Object(blobFields))

/** Schema of `ResourceIdentity`. */
export const ResourceIdentitySchema = Type.Unsafe<ResourceIdentity>(
  Type.Object({
    uri: Type.String(),
    ...blobFields,
    formatted: Type.Optional(Sha256Schema),
  }),
)

/** Schema of `ResultMetadata`. */
export const ResultMetadataSchema = Type.Unsafe<ResultMetadata>(
  Type.Object({
    outcome: Type.Optional(Type.Enum([...OUTCOMES])),
    skipped: Type.Optional(Type.Boolean()),
    warnings: Type.Optional(Type.Array(ProblemSchema)),
    raw: Type.Optional(BlobRefSchema),
    resources: Type.Optional(Type.Array(Type.Union([ResourceIdentitySchema, Type.Null()]))),
    handle: Type.Optional(
      Type.Object({
        id: Type.String(),
        status: Type.Enum([...STATUSES]),
        asks: Type.Optional(Type.Enum([...HANDLE_PARTIES])),
      }),
    ),
    conversationId: Type.Optional(Type.String()),
    select: Type.Optional(Type.Array(Type.String())),
    fixed: Type.Optional(JsonObjectSchema),
  }),
)

/** Schema of `ToolCall`. */
export const ToolCallSchema = Type.Unsafe<ToolCall>(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    arguments: JsonObjectSchema,
    _meta: Type.Optional(JsonObjectSchema),
  }),
)

/** Schema of `ToolResult`. */
export const ToolResultSchema = Type.Unsafe<ToolResult>(
  Type.Object({
    id: Type.Optional(Type.String()),
    content: Type.Array(ContentBlockSchema),
    isError: Type.Boolean(),
    structuredContent: Type.Optional(Type.Unknown()),
    metadata: Type.Optional(ResultMetadataSchema),
    _meta: Type.Optional(JsonObjectSchema),
  }),
)

/** A tool's name and texts. */
export const toolWords = {
  name: Type.String(),
  title: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  examples: Type.Optional(Type.String()),
} as const

/** Schema of `ToolDefinition`. */
export const ToolDefinitionSchema = Type.Unsafe<ToolDefinition>(
  Type.Object({
    ...toolWords,
    inputSchema: JsonSchemaSchema,
    outputSchema: Type.Optional(JsonSchemaSchema),
    annotations: Type.Optional(JsonObjectSchema),
    icons: Type.Optional(Type.Array(Type.Unknown())),
    _meta: Type.Optional(JsonObjectSchema),
  }),
)

/** Schema of `Delivery`. */
export const DeliverySchema = Type.Unsafe<Delivery>(
  Type.Object({
    callId: Type.String(),
    block: CountSchema,
    uri: Type.String(),
    sha256: Sha256Schema,
    turn: CountSchema,
    form: Type.Enum([...DELIVERY_FORMS]),
    as: Type.Optional(Type.Enum([...DELIVERY_WAYS])),
    formatted: Type.Optional(Sha256Schema),
    pointsTo: Type.Optional(
      Type.Object({ callId: Type.String(), block: CountSchema, turn: CountSchema }),
    ),
  }),
)
