import type { ToolDescriptions } from '@toolblocks/protocol'
import type { DefinedTool } from './defined-tool.ts'

/** What tools say of themselves: the answer to the action `schema`. `required` is always said. */
export function describeTools(tools: readonly DefinedTool[]): ToolDescriptions {
  return { tools: tools.map(({ description }) => description) }
}
