import { type JsonObject, type JsonSchema, isJsonObject } from '@toolblocks/protocol'

/** Returns the constraints of a schema as lines for display under a label, unsanitized. */
export function getDetails(
  schema: JsonSchema,
  need: 'required' | 'optional' = 'required',
): readonly string[] {
  if (!isJsonObject(schema)) return []
  const { description, format } = schema
  const count = range(schema, { from: 'minItems', to: 'maxItems' })
  const size = range(schema, { from: 'minimum', to: 'maximum' })
  const length = range(schema, { from: 'minLength', to: 'maxLength' })
  const limits = [
    ...(typeof format === 'string' && format !== 'password' ? [format] : []),
    ...(count === undefined
      ? []
      : [hasChoices(schema) ? `choose ${count}` : withUnit(count, 'item')]),
    ...(size === undefined ? [] : [size]),
    ...(length === undefined ? [] : [withUnit(length, 'character')]),
    ...(need === 'optional' ? ['optional'] : []),
  ]
  return [
    ...(typeof description === 'string' && description !== '' ? [description] : []),
    ...(limits.length > 0 ? [limits.join(' · ')] : []),
  ]
}

/** Whether the items of a list are chosen, and not typed. */
function hasChoices({ items }: JsonObject): boolean {
  return isJsonObject(items) && ['enum', 'anyOf', 'oneOf'].some((keyword) => keyword in items)
}

function withUnit(amount: string, unit: string): string {
  return `${amount} ${/\b1$/.test(amount) ? unit : `${unit}s`}`
}

function range(schema: JsonObject, { from, to }: { from: string; to: string }): string | undefined {
  const least = schema[from]
  const most = schema[to]
  if (typeof least === 'number' && typeof most === 'number')
    return least === most ? `${least}` : `${least} to ${most}`
  if (typeof least === 'number') return `at least ${least}`
  return typeof most === 'number' ? `at most ${most}` : undefined
}
