export type { Checked, Verdict } from './check-value.ts'
export {
  compileSchema,
  type CheckValue,
  type CompiledSchema,
  type CompileOptions,
} from './compile-schema.ts'
export { canonicalJson } from './keywords/canonical-json.ts'
export type { SchemaProblem, SchemaProblemCode } from './problems/schema-problem.ts'
export { DEFAULT_SCHEMA_LIMITS, type SchemaLimits } from './limits.ts'
