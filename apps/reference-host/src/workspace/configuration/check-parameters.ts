import { type JsonObject, type ParameterDefinition } from '@toolblocks/protocol'
import { parametersToSchema, splitPointer } from '@toolblocks/protocol/internal'
import {
  isDefinitelySchema,
  isDefinitelyValid,
} from '@toolblocks/schema-check/internal/quick-check'
import type { Diagnostic } from './configuration.ts'
import type { ToolConfiguration } from './tool-schema.ts'
import { placeSchemaProblem } from './place-problem.ts'

/** Checks the parameters of a tool: their keywords are JSON Schema's, and defaults must fit them. */
export async function checkParameters(
  name: string,
  { parameters = {} }: Pick<ToolConfiguration, 'parameters'>,
): Promise<readonly Diagnostic[]> {
  const base = ['tools', name, 'parameters']
  const messages = Object.entries(parameters).map(
    async ([parameter, definition]) => await checkParameter(definition, [...base, parameter]),
  )
  return (await Promise.all(messages)).flat()
}

async function checkParameter(
  definition: ParameterDefinition,
  path: readonly string[],
): Promise<readonly Diagnostic[]> {
  const schema = getSchema(definition)
  const { default: preset } = definition
  if (preset === undefined ? isDefinitelySchema(schema) : isDefinitelyValid(preset, schema))
    return []
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(schema)
  if (!compiled.ok)
    return compiled.problems.map((problem) => placeSchemaProblem(problem, path, schema))
  if (preset === undefined) return []
  const { verdict, problems } = compiled.check(preset)
  if (verdict !== 'invalid') return []
  return problems.map((problem) => ({
    path: [...path, 'default', ...splitPointer(problem.path)],
    message: problem.message,
  }))
}

/** Returns one parameter as a separate schema, with paths of keywords as in the configuration. */
function getSchema(definition: ParameterDefinition): JsonObject {
  const { properties } = parametersToSchema({ parameter: definition })
  const schema = Reflect.get(Object(properties), 'parameter')
  return { ...Object(schema) }
}
