import type { JsonSchema, Problem } from '@toolblocks/protocol'
import type { SchemaLimits } from '../limits.ts'
import { expandReferences } from './expand-references.ts'
import { lintSubschema } from './lint-subschema.ts'
import { measureJson } from './measure-json.ts'
import { isObject, subschemasOf, type Subschema } from './subschemas.ts'

/** What a schema costs to use, or why it is not used. */
export type LintedSchema =
  | { ok: true; cost: SchemaCost }
  | { ok: false; problems: readonly Problem[] }

/** What checking a value may take, per node of the value. */
export interface SchemaCost {
  /** Subschemas after `$ref` is replaced. */
  subschemas: number
  /** Patterns and formats. */
  patterns: number
  /** Whether items are compared with each other. */
  comparesItems: boolean
}

/** Decides in linear time whether a schema from outside is safe to compile. */
export function lintSchema(schema: JsonSchema, limits: SchemaLimits): LintedSchema {
  const size = measureJson(schema, limits.depth)
  if (size.depth > limits.depth)
    return refuse('', `nests deeper than ${limits.depth} levels`, 'schema-too-deep')
  if (size.characters > limits.characters)
    return refuse('', `is larger than ${limits.characters} characters`, 'schema-too-large')
  if (size.nodes > limits.values)
    return refuse('', `has more than ${limits.values} values`, 'schema-too-large')
  const subschemas = collect({ schema, path: '' })
  if (subschemas.length > limits.subschemas)
    return refuse(
      '',
      `has ${subschemas.length} subschemas; at most ${limits.subschemas} are used`,
      'schema-too-large',
    )
  const problems = subschemas.flatMap((subschema) => lintSubschema(subschema, limits))
  if (problems.length > 0) return { ok: false, problems }
  const expanded = expandReferences(schema, limits)
  return expanded.ok ? { ok: true, cost: costOf(subschemas, expanded.subschemas) } : expanded
}

function collect(root: Subschema): Subschema[] {
  const found = [root]
  for (let index = 0; index < found.length; index++) {
    const subschema = found[index]
    if (subschema) found.push(...subschemasOf(subschema))
  }
  return found
}

function costOf(subschemas: readonly Subschema[], expanded: number): SchemaCost {
  const objects = subschemas.map(({ schema }) => schema).filter(isObject)
  const patterns = objects.map(
    (schema) =>
      Number('pattern' in schema) +
      Number('format' in schema) +
      (isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']).length : 0),
  )
  return {
    subschemas: expanded,
    patterns: patterns.reduce((sum, count) => sum + count, 0),
    comparesItems: objects.some((schema) => schema['uniqueItems'] === true),
  }
}

function refuse(path: string, message: string, code: string): LintedSchema {
  return { ok: false, problems: [{ path, message: `the schema ${message}`, code }] }
}
