export { checkArguments } from './check-arguments.ts'
export { compileInputSchema } from './compile-input-schema.ts'
export {
  type CheckValue,
  type CheckedValue,
  type CompiledSchema,
  compileSchema,
} from './compile-schema.ts'
export { canonicalJson } from './keywords/canonical-json.ts'
export { type SchemaProblem } from './lint/schema-problem.ts'
export { type SchemaLimits } from './lint/limits.ts'
