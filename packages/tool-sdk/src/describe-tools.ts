import type { ToolDescriptions } from '@toolblocks/protocol'
import type { DefinedTool } from './run/defined-tool.ts'
import { ToolDefinitionError } from './schemas/tool-definition-error.ts'

/**
 * What tools say of themselves: the answer to the action `schema`. `required` is always said. Throws a `ToolDefinitionError` for tools that
 * cannot be told apart.
 */
export function describeTools(tools: readonly DefinedTool[]): ToolDescriptions {
  checkTools(tools)
  return { tools: tools.map(({ description }) => description) }
}

/** Throws for what cannot be the tools of one program: none, or two of one name. */
export function checkTools(tools: readonly DefinedTool[]): void {
  if (tools.length === 0)
    throw new ToolDefinitionError('no-tools', 'a program needs at least one tool, got none')
  const places = new Map<string, number>()
  for (const [place, { name }] of tools.entries()) {
    const first = places.get(name)
    if (first !== undefined)
      throw new ToolDefinitionError(
        'duplicate-name',
        `tools[${first}] and tools[${place}] are both called ${JSON.stringify(name)}; expected a name of its own for each tool of a program`,
      )
    places.set(name, place)
  }
}
