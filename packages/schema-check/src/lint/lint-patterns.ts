import { appendPointer, isJsonObject } from '@toolblocks/protocol'
import type { SchemaLimits } from '../limits.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import { type Subschema } from './subschemas.ts'
import type { SchemaProblem } from '../problems/schema-problem.ts'

/** The problems of a document's patterns: those that make it no schema first, then those no engine can promise to finish. */
export function lintPatterns(
  subschemas: readonly Subschema[],
  limits: SchemaLimits,
): { kind: 'invalid' | 'unusable'; problems: readonly SchemaProblem[] } | undefined {
  const invalid: SchemaProblem[] = []
  const unusable: SchemaProblem[] = []
  let weight = 0
  for (const { schema, path } of subschemas) {
    for (const { pattern, at } of isJsonObject(schema) ? patternsOf(schema) : []) {
      const place = path + at
      if (pattern.length > limits.patternLength) {
        unusable.push(notLinear(place, `it is longer than ${limits.patternLength} characters`))
        continue
      }
      if (weight > limits.patternSteps) return { kind: 'unusable', problems: [tooMany(limits)] }
      const read = readPattern(pattern)
      weight += read.weight
      if (read.kind === 'invalid') invalid.push(notAPattern(place, pattern, read.reason))
      if (read.kind === 'unusable') unusable.push(notLinear(place, read.reason))
    }
  }
  if (invalid.length > 0) return { kind: 'invalid', problems: invalid }
  if (weight > limits.patternSteps) unusable.push(tooMany(limits))
  return unusable.length > 0 ? { kind: 'unusable', problems: unusable } : undefined
}

/** The patterns of one schema, and their places in it. */
export function patternsOf(schema: Record<string, unknown>): { pattern: string; at: string }[] {
  const { pattern, patternProperties } = schema
  const own = typeof pattern === 'string' ? [{ pattern, at: '/pattern' }] : []
  const named = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  const at = '/patternProperties'
  return [...own, ...named.map((name) => ({ pattern: name, at: appendPointer(at, name) }))]
}

function notAPattern(path: string, pattern: string, reason: string): SchemaProblem {
  const message = `the pattern is no regular expression of ECMAScript with the flag "u": ${reason}`
  const got = JSON.stringify(pattern)
  return { path, message, expected: 'a regular expression', got, code: 'invalid-pattern' }
}

function notLinear(path: string, reason: string): SchemaProblem {
  const message = `the pattern cannot be checked in linear time: ${reason}`
  return { path, message, code: 'schema-pattern' }
}

function tooMany({ patternSteps }: SchemaLimits): SchemaProblem {
  const message = `the patterns of the schema are larger than ${patternSteps} steps together`
  return { path: '', message, code: 'schema-pattern' }
}
