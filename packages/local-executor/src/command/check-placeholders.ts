import { isJsonObject, type JsonSchema } from '@toolblocks/protocol'
import type { Command } from './command.ts'
import type { LocalProblem } from '../local-problem.ts'

/** Placeholders for arguments that a call can never have, where the schema says which it can. */
export function checkPlaceholders({ args }: Command, schema: JsonSchema): readonly LocalProblem[] {
  return args.flatMap(({ at, parts }) =>
    parts.flatMap((part) => {
      if (typeof part === 'string') return []
      // Nothing but the tool has arguments.
      const [, field, ...names] = part.path
      if (field !== 'arguments') return []
      return explainUnknown(names, schema, { at, written: part.path.join('.') })
    }),
  )
}

function explainUnknown(
  names: readonly string[],
  schema: unknown,
  word: { at: string; written: string },
): readonly LocalProblem[] {
  const [name, ...rest] = names
  if (name === undefined || !isJsonObject(schema)) return []
  const { properties, patternProperties, additionalProperties } = schema
  if (isJsonObject(properties) && Object.hasOwn(properties, name))
    return explainUnknown(rest, properties[name], word)
  if (additionalProperties !== false || patternProperties !== undefined) return []
  const known = isJsonObject(properties) ? Object.keys(properties) : []
  const expected = known.length === 0 ? 'no arguments' : known.join(', ')
  const got = JSON.stringify(name)
  const message = `{{${word.written}}} names no parameter: expected ${expected}, got ${got}`
  return [{ path: word.at, message, expected, got, code: 'unknown-argument' }]
}
