import type { ToolDescriptions } from '@toolblocks/protocol'
import { type DefinedTool, getParts, type ToolParts } from './run/defined-tool.ts'
import { ToolDefinitionError } from './schemas/tool-definition-error.ts'

/**
 * Describes tools as a program answers the action `schema`. `required` is always said. Throws a `ToolDefinitionError` for an empty list, for two tools of one
 * name, and for a value that `defineTool` did not make.
 */
export function describeTools(tools: readonly DefinedTool[]): ToolDescriptions {
  return { tools: readTools(tools).map(({ description }) => description) }
}

/** Reads the tools of one program. Throws a `ToolDefinitionError` where they cannot be the tools of one. */
export function readTools(tools: readonly DefinedTool[]): readonly ToolParts[] {
  if (!Array.isArray(tools))
    throw new ToolDefinitionError('not-a-tool', 'expected an array of tools; write [tool]')
  if (tools.length === 0)
    throw new ToolDefinitionError('no-tools', 'expected at least one tool, got none')
  const parts = tools.map(getParts)
  const places = new Map<string, number>()
  for (const [index, { name }] of parts.entries()) {
    const first = places.get(name)
    if (first !== undefined)
      throw new ToolDefinitionError(
        'duplicate-name',
        `tools[${first}] and tools[${index}] are both called ${JSON.stringify(name)}; expected a name of its own for each tool of a program`,
      )
    places.set(name, index)
  }
  return parts
}
