import {
  parametersToSchema,
  pointerSteps,
  type JsonObject,
  type ParameterDefinition,
} from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import type { PlacedMessage, ToolConfiguration } from './configuration.ts'
import { placeSchemaProblem } from './place-problem.ts'

/** What is wrong with the parameters of a tool: their keywords are JSON Schema's, and defaults must fit them. */
export function checkParameters(
  name: string,
  { parameters = {} }: Pick<ToolConfiguration, 'parameters'>,
): readonly PlacedMessage[] {
  const base = ['tools', name, 'parameters']
  return Object.entries(parameters).flatMap(([parameter, definition]) =>
    checkParameter(definition, [...base, parameter]),
  )
}

function checkParameter(
  definition: ParameterDefinition,
  path: readonly string[],
): readonly PlacedMessage[] {
  const schema = schemaOf(definition)
  const compiled = compileSchema(schema)
  if (!compiled.ok)
    return compiled.problems.map((problem) => placeSchemaProblem(problem, path, schema))
  if (definition.default === undefined) return []
  const { verdict, problems } = compiled.check(definition.default)
  if (verdict !== 'invalid') return []
  return problems.map((problem) => ({
    path: [...path, 'default', ...pointerSteps(problem.path)],
    message: problem.message,
  }))
}

/** One parameter as a schema of its own, whose keywords stand where the configuration has them. */
function schemaOf(definition: ParameterDefinition): JsonObject {
  const { properties } = parametersToSchema({ parameter: definition })
  const schema = Reflect.get(Object(properties), 'parameter')
  return { ...Object(schema) }
}
