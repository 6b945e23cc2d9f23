export { hasType } from './parameters/correct-keyword.ts'
export { type CorrectedSchema, correctSchema } from './parameters/correct-schema.ts'
export { fillDefaults, hasDefault } from './parameters/fill-defaults.ts'
export {
  ANNOTATION_KEYWORDS,
  mapSchema,
  SCHEMA_MAPS,
  normalizePrefixItems,
} from './parameters/map-schema.ts'
export { makeDefaultsOptional } from './parameters/make-defaults-optional.ts'
export { mergeToolOverrides } from './parameters/merge-tool-overrides.ts'
export { findMarkedArguments, isParameterDefinition } from './parameters/parameter-definition.ts'
export {
  firstSentence,
  isRequired,
  parametersToSchema,
  schemaToParameters,
} from './parameters/parameters-to-schema.ts'
