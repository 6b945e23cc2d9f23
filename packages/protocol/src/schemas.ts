import { explainMissingPeer } from './missing-peer.ts'
import type * as all from './schemas/all-schemas.ts'

/** The schemas are loaded here, so that who lacks the optional peer learns what to add. */
const schemas: typeof all = await import('./schemas/all-schemas.ts').catch((cause: unknown) => {
  throw explainMissingPeer(cause, { entry: '@toolblocks/protocol/schemas', peer: 'typebox' })
})

export const AnnotationsSchema: typeof all.AnnotationsSchema = schemas.AnnotationsSchema
export const AudioContentSchema: typeof all.AudioContentSchema = schemas.AudioContentSchema
export const ContentBlockSchema: typeof all.ContentBlockSchema = schemas.ContentBlockSchema
export const EmbeddedResourceSchema: typeof all.EmbeddedResourceSchema =
  schemas.EmbeddedResourceSchema
export const ImageContentSchema: typeof all.ImageContentSchema = schemas.ImageContentSchema
export const QuestionContentSchema: typeof all.QuestionContentSchema = schemas.QuestionContentSchema
export const ResourceLinkSchema: typeof all.ResourceLinkSchema = schemas.ResourceLinkSchema
export const ResourceSchema: typeof all.ResourceSchema = schemas.ResourceSchema
export const TextContentSchema: typeof all.TextContentSchema = schemas.TextContentSchema
export const JsonSchemaSchema: typeof all.JsonSchemaSchema = schemas.JsonSchemaSchema
export const ProblemSchema: typeof all.ProblemSchema = schemas.ProblemSchema
export const AnswerSchema: typeof all.AnswerSchema = schemas.AnswerSchema
export const AnswersSchema: typeof all.AnswersSchema = schemas.AnswersSchema
export const InputRequestSchema: typeof all.InputRequestSchema = schemas.InputRequestSchema
export const BlobRefSchema: typeof all.BlobRefSchema = schemas.BlobRefSchema
export const DeliverySchema: typeof all.DeliverySchema = schemas.DeliverySchema
export const ResourceIdentitySchema: typeof all.ResourceIdentitySchema =
  schemas.ResourceIdentitySchema
export const ResultMetadataSchema: typeof all.ResultMetadataSchema = schemas.ResultMetadataSchema
export const ToolCallSchema: typeof all.ToolCallSchema = schemas.ToolCallSchema
export const ToolDefinitionSchema: typeof all.ToolDefinitionSchema = schemas.ToolDefinitionSchema
export const ToolResultSchema: typeof all.ToolResultSchema = schemas.ToolResultSchema
export const DisplayHintsSchema: typeof all.DisplayHintsSchema = schemas.DisplayHintsSchema
export const ToolResultValueSchema: typeof all.ToolResultValueSchema = schemas.ToolResultValueSchema
export const WellKnownValueSchema: typeof all.WellKnownValueSchema = schemas.WellKnownValueSchema
export const ParameterDefinitionSchema: typeof all.ParameterDefinitionSchema =
  schemas.ParameterDefinitionSchema
export const ToolDescriptionSchema: typeof all.ToolDescriptionSchema = schemas.ToolDescriptionSchema
export const ToolDescriptionsSchema: typeof all.ToolDescriptionsSchema =
  schemas.ToolDescriptionsSchema
export const ToolRequestSchema: typeof all.ToolRequestSchema = schemas.ToolRequestSchema
