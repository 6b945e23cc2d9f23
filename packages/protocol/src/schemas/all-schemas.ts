export {
  AnnotationsSchema,
  AudioContentSchema,
  ContentBlockSchema,
  EmbeddedResourceSchema,
  ImageContentSchema,
  QuestionContentSchema,
  ResourceLinkSchema,
  ResourceSchema,
  TextContentSchema,
} from './content-schemas.ts'
export { JsonSchemaSchema, ProblemSchema } from './json-schemas.ts'
export { AnswerSchema, AnswersSchema, InputRequestSchema } from './question-schemas.ts'
export {
  BlobRefSchema,
  DeliverySchema,
  ResourceIdentitySchema,
  ResultMetadataSchema,
  ToolCallSchema,
  ToolDefinitionSchema,
  ToolResultSchema,
} from './tool-schemas.ts'
export { DisplayHintsSchema, ToolResultValueSchema, WellKnownValueSchema } from './value-schemas.ts'
export {
  ParameterDefinitionSchema,
  ToolDescriptionSchema,
  ToolDescriptionsSchema,
  ToolRequestSchema,
} from './wire-schemas.ts'
