import { schemaToParameters, type JsonSchema } from '@toolblocks/protocol'
import { parameterFacts } from '@toolblocks/tool-executor'

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
    facts: `(${parameterFacts(parameter)})`,
    summary: parameter.summary ?? parameter.description ?? '',
  }))
}
