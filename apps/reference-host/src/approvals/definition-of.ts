import type { ToolEntry } from '@toolblocks/tool-executor'
import type { Configuration } from '../configuration/configuration.ts'
import { hashJson } from '../hash-json.ts'

/** The hash of what a tool says it is, and of what is started for it: a yes is for these, not for a name. */
export function definitionOf(
  { tool }: Pick<ToolEntry, 'tool'>,
  { tools, mcp }: Pick<Configuration, 'tools' | 'mcp'>,
): string {
  const { name, title, summary, description, inputSchema, outputSchema, annotations } = tool
  const said = { name, title, summary, description, inputSchema, outputSchema, annotations }
  const own = (tables: Readonly<Record<string, unknown>>): unknown =>
    Object.hasOwn(tables, name) ? tables[name] : undefined
  const table = own(tools) ?? own(mcp.tools)
  // A tool of a server has no table that says what is started.
  const servers = own(tools) === undefined ? mcp.servers : undefined
  return hashJson({ said, table, servers })
}
