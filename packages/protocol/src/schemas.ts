export {
  AnnotationsSchema,
  AnswerSchema,
  AnswersSchema,
  AudioContentSchema,
  ContentBlockSchema,
  EmbeddedResourceSchema,
  ImageContentSchema,
  InputRequestSchema,
  QuestionContentSchema,
  ResourceLinkSchema,
  ResourceSchema,
  TextContentSchema,
} from './schemas/content-schemas.ts'
export { JsonSchemaSchema, ProblemSchema } from './schemas/json-schemas.ts'
export {
  BlobRefSchema,
  DeliverySchema,
  ResourceIdentitySchema,
  ResultMetadataSchema,
  ToolCallSchema,
  ToolDefinitionSchema,
  ToolResultSchema,
} from './schemas/tool-schemas.ts'
export {
  DisplayHintsSchema,
  ToolResultValueSchema,
  WellKnownValueSchema,
} from './schemas/value-schemas.ts'
export {
  ParameterDefinitionSchema,
  ToolDescriptionSchema,
  ToolDescriptionsSchema,
  ToolRequestSchema,
} from './schemas/wire-schemas.ts'
