import type { JsonSchema } from '../json/json.ts'
import type { ParameterDefinition } from '../parameters/parameter-definition.ts'
import { parametersToSchema } from '../parameters/parameters-to-schema.ts'
import { schemaToParameters } from '../parameters/schema-to-parameters.ts'
import { isSameJson } from '../json/same-json.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ToolDescription } from './tool-description.ts'

/**
 * What a model and a person need to know of a tool that describes itself. The long texts of its parameters, which no
 * schema has room for beside their summaries, stand at the end of its `description`.
 */
export function descriptionToDefinition(description: ToolDescription): ToolDefinition {
  const {
    parameters = {},
    inputSchema,
    stateful: _stateful,
    actions: _actions,
    ...own
  } = description
  const details = detailsOf(parameters)
  const text = [own.description, details].filter((part) => part !== undefined && part !== '')
  return {
    ...own,
    ...(text.length > 0 && { description: text.join('\n\n') }),
    inputSchema: inputSchema ?? parametersToSchema(parameters),
  }
}

/**
 * The arguments of a tool as a description carries them: as `parameters`, and as `inputSchema` too where parameters
 * cannot say all of it (`$defs`, recursion, an open object).
 */
export function schemaToArguments(
  schema: JsonSchema,
): Pick<ToolDescription, 'parameters' | 'inputSchema'> {
  const parameters = schemaToParameters(schema)
  return {
    parameters,
    ...(!isSameJson(parametersToSchema(parameters), schema) && { inputSchema: schema }),
  }
}

function detailsOf(parameters: Readonly<Record<string, ParameterDefinition>>): string {
  return Object.entries(parameters)
    .flatMap(([name, { summary, description }]) =>
      summary === undefined || description === undefined
        ? []
        : [`### \`${name}\`\n\n${description}`],
    )
    .join('\n\n')
}
