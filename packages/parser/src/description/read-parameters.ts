import { isJsonObject, type JsonObject, MAX_SCHEMA_DEPTH } from '@toolblocks/protocol'

/** Fields of a parameter for which `null` says the same as nothing: writers of other languages put it there. */
const OPTIONAL = [
  'type',
  'summary',
  'description',
  'required',
  'enum',
  'items',
  'properties',
  'examples',
]

/** The parameters of a description without `null` for what is absent; what is no object comes back as it is. */
export function readParameters(parameters: unknown, depth = 0): unknown {
  if (!isJsonObject(parameters) || depth > MAX_SCHEMA_DEPTH) return parameters
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, readParameter(parameter, depth)]),
  )
}

function readParameter(parameter: unknown, depth: number): unknown {
  if (!isJsonObject(parameter) || depth > MAX_SCHEMA_DEPTH) return parameter
  const said = Object.entries(parameter).filter(
    ([key, value]) => value !== null || !isAbsence(key, parameter),
  )
  return Object.fromEntries(
    said.map(([key, value]) => {
      if (key === 'items') return [key, readParameter(value, depth + 1)]
      return [key, key === 'properties' ? readParameters(value, depth + 1) : value]
    }),
  )
}

/** A `null` as default means one where the type has it. */
function isAbsence(key: string, { type }: JsonObject): boolean {
  if (key !== 'default') return OPTIONAL.includes(key)
  return !(type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null')))
}
