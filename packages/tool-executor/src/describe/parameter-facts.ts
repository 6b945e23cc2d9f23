import type { ParameterDefinition } from '@toolblocks/protocol'

/** The facts of a parameter that are no text, in a few words: `string, required`, `"a" | "b", default "a"`. */
export function parameterFacts(parameter: ParameterDefinition): string {
  return [parameterType(parameter), need(parameter)].join(', ')
}

/** Which values it may be: `string or null`, `"a" | "b"`. */
export function parameterType({ type, enum: values }: ParameterDefinition): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  return [type ?? 'any'].flat().join(' or ')
}

function need({ required, type, default: value }: ParameterDefinition): string {
  if (value !== undefined) return `default ${JSON.stringify(value)}`
  return (required ?? ![type].flat().includes('null')) ? 'required' : 'optional'
}
