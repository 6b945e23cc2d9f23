import { type JsonObject } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'

/** A value that an enumeration may offer. */
type Scalar = string | number | boolean | null

/** One value of an enumeration. */
export interface Choice {
  value: Scalar
  /** The title from the schema, unsanitized; else the value. */
  title: string
}

/** Returns the values that a schema enumerates: `enum`, also with `enumNames`, or `oneOf` and `anyOf` with `const` and `title`. */
export function readChoices(schema: JsonObject): readonly Choice[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema
  const choices = Array.isArray(values)
    ? readNamed(values, Array.isArray(enumNames) ? enumNames : [])
    : readTitled(oneOf ?? anyOf)
  return choices.length > 0 && choices.every((choice) => choice !== undefined) ? choices : undefined
}

function readNamed(
  values: readonly unknown[],
  names: readonly unknown[],
): readonly (Choice | undefined)[] {
  return values.map((value, index) => toChoice(value, names[index]))
}

function readTitled(alternatives: unknown): readonly (Choice | undefined)[] {
  if (!Array.isArray(alternatives)) return []
  return alternatives.map((alternative: unknown) =>
    isJsonObject(alternative) && Object.hasOwn(alternative, 'const')
      ? toChoice(alternative['const'], alternative['title'])
      : undefined,
  )
}

function toChoice(value: unknown, title: unknown): Choice | undefined {
  if (!isScalar(value)) return undefined
  return { value, title: typeof title === 'string' && title !== '' ? title : String(value) }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
