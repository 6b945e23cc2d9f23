import type { Problem } from '../problem.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { JsonSchema } from '../json/json.ts'
import { firstSentence } from './first-sentence.ts'
import { mergeParameters, mergeText } from './merge-parameters.ts'
import { ownDefaults } from './own-defaults.ts'
import type { ParameterDefinition } from './parameter-definition.ts'
import { schemaObject } from './schema-to-parameters.ts'
import type { OverrideProblemCode } from './override-problem-code.ts'

/** What a user's configuration says about a tool that describes itself, or that a server describes. */
export interface ToolOverrides {
  title?: string
  summary?: string
  /** `{{description}}` in it stands for the tool's own description. */
  description?: string
  examples?: string
  /** By name; what is not named stays. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
}

/** A definition with the user's words in it, and the overrides that did not fit. */
export interface MergedTool {
  definition: ToolDefinition
  /** Paths are relative to the overrides. */
  problems: readonly Problem<OverrideProblemCode>[]
  /** The defaults of the overrides, for `fillDefaults`: the tool does not know them. Absent: there is no such default. */
  defaults?: JsonSchema
}

/**
 * Lays a user's overrides over a tool's definition: what the user says replaces what the tool says.
 *
 * - A parameter's override replaces the keywords it names, down through `items` and `properties`; what it does not name
 *   stays, `$ref` too. A summary stands before a description.
 * - `required` can be tightened, never loosened: the tool would refuse the call.
 * - An override for a parameter that the tool does not have is a problem, unless the tool lists none at all.
 * - A `default` is filled in by whoever calls the tool (`defaults`).
 * - Without any summary, a long description gets its first sentence as one.
 */
export function mergeToolOverrides(
  definition: ToolDefinition,
  overrides: ToolOverrides,
): MergedTool {
  const { title, summary, examples, parameters = {} } = overrides
  const description = mergeText(overrides.description, definition.description)
  const brief = summary ?? definition.summary ?? firstSentence(description ?? '')
  const problems: Problem<OverrideProblemCode>[] = []
  const merge = { path: '/parameters', problems }
  const inputSchema =
    Object.keys(parameters).length === 0
      ? definition.inputSchema
      : mergeParameters(schemaObject(definition.inputSchema), parameters, merge)
  const defaults = ownDefaults(parameters, inputSchema)
  return {
    definition: {
      ...definition,
      ...(title !== undefined && { title }),
      ...(brief !== undefined && { summary: brief }),
      ...(description !== undefined && { description }),
      ...(examples !== undefined && { examples }),
      inputSchema,
    },
    problems,
    ...(defaults && { defaults }),
  }
}
