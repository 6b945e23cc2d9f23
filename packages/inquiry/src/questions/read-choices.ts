import { type JsonObject, isJsonObject } from '@toolblocks/protocol'

/** A value that an enumeration may offer. */
type Scalar = string | number | boolean | null

/** One value of an enumeration. */
export interface Choice {
  value: Scalar
  /** The title from the schema, unsanitized; else the value. Choices with the same title have their value as JSON in it: `1` and `"1"`. */
  title: string
}

/** Returns the values that a schema enumerates: `enum`, also with `enumNames`, or `oneOf` and `anyOf` with `const` and `title`. */
export function readChoices(schema: JsonObject): readonly Choice[] | undefined {
  const { enum: values, enumNames, oneOf, anyOf } = schema
  const choices = Array.isArray(values)
    ? readNamed(values, Array.isArray(enumNames) ? enumNames : [])
    : readTitled(oneOf ?? anyOf)
  return choices.length > 0 && choices.every((choice) => choice !== undefined)
    ? distinguish(choices)
    : undefined
}

/** Returns each value once, and different titles for different values. */
function distinguish(allChoices: readonly Choice[]): readonly Choice[] {
  const choices = [
    ...new Map(allChoices.toReversed().map((choice) => [choice.value, choice])).values(),
  ]
  const counts = Map.groupBy(choices, getName)
  return allChoices
    .filter((choice) => choices.includes(choice))
    .map((choice) => {
      const { value, title } = choice
      if (counts.get(getName(choice))?.length === 1) return choice
      const json = JSON.stringify(value)
      return { value, title: title === String(value) ? json : `${title} (${json})` }
    })
}

/** Typed text is compared without regard to case. */
function getName({ title }: Choice): string {
  return title.trim().toLowerCase()
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
