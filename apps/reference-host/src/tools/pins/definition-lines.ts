import { field, isJsonObject, isPlainObject } from '@toolblocks/protocol'
import type { PinnedDefinition } from '../define-tool.ts'

/**
 * What a tool says of itself as lines, each with the place of what it says, so that a comparison by lines names every
 * place that changed: `parameters.path.type: "string"`.
 */
export function definitionLines({ name: _name, inputSchema, ...words }: PinnedDefinition): string {
  const { properties = {}, ...keywords } = isJsonObject(inputSchema) ? inputSchema : {}
  const said = isJsonObject(inputSchema)
    ? { ...words, parameters: properties, inputSchema: keywords }
    : { ...words, inputSchema }
  return linesOf('', said).join('\n')
}

/** One line for a value, one for each line of a text. */
function linesOf(place: string, value: unknown): readonly string[] {
  if (typeof value === 'string')
    return value.split('\n').map((line) => `${place}: ${JSON.stringify(line)}`)
  if (!isPlainObject(value) || Object.keys(value).length === 0)
    return [`${place}: ${JSON.stringify(value)}`]
  return Object.keys(value)
    .toSorted()
    .flatMap((key) => linesOf(join(place, key), field(value, key)))
}

function join(place: string, key: string): string {
  const step = /^[\w$-]+$/.test(key) ? key : JSON.stringify(key)
  return place === '' ? step : `${place}.${step}`
}
