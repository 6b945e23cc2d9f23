import { isJsonObject, type JsonSchema } from '@toolblocks/protocol'
import { detailsOf } from '../questions/details-of.ts'
import { readChoices } from '../questions/read-choices.ts'

/** Says in one line what a value should be: its type, whether it can be left out, its description and limits. */
export function describeSchema(schema: JsonSchema, need: 'required' | 'optional'): string {
  const details = detailsOf(schema)
  const type = `${typeOf(schema)}${need === 'optional' ? ', optional' : ''}`
  return details.length === 0 ? type : `${type}: ${details.join(' · ')}`
}

function typeOf(schema: unknown): string {
  if (!isJsonObject(schema)) return 'anything'
  const choices = readChoices(schema)
  if (choices)
    return `one of ${choices
      .map(({ value, title }) => {
        const json = JSON.stringify(value)
        return title === String(value) ? json : `${json} (${title})`
      })
      .join(', ')}`
  const { type, items } = schema
  if (type === 'array') {
    const each = typeOf(items)
    return each === 'anything' ? 'list' : `list, each ${each}`
  }
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'anything'
}
