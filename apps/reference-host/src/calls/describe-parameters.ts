import { schemaToParameters, type JsonSchema, type ParameterDefinition } from '@toolblocks/protocol'

/** One parameter as a person reads it in a list. */
export interface DescribedParameter {
  name: string
  /** For example `string, required` or `integer, default 10`. */
  facts: string
  summary: string
}

/** The parameters of a tool. */
export function describeParameters(schema: JsonSchema): readonly DescribedParameter[] {
  return Object.entries(schemaToParameters(schema)).map(([name, parameter]) => ({
    name,
    facts: `(${[typeOf(parameter), need(parameter)].filter((fact) => fact !== '').join(', ')})`,
    summary: parameter.summary ?? parameter.description ?? '',
  }))
}

function typeOf({ type, enum: values }: ParameterDefinition): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  return [type ?? 'any'].flat().join(' or ')
}

function need({ required, default: value }: ParameterDefinition): string {
  if (value !== undefined) return `default ${JSON.stringify(value)}`
  return required === false ? 'optional' : 'required'
}
