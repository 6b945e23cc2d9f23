export { checkArguments, type CheckedArguments } from './check-arguments.ts'
export { compileInputSchema } from './compile-input-schema.ts'
export {
  type CheckValue,
  type CheckedValue,
  type CompileOptions,
  type CompiledSchema,
  type CheckVerdict,
  compileSchema,
} from './compile-schema.ts'
export { canonicalJson } from './keywords/canonical-json.ts'
export type { SchemaProblem, SchemaProblemCode } from './lint/schema-problem.ts'
export { DEFAULT_SCHEMA_LIMITS, type SchemaLimits } from './lint/limits.ts'
