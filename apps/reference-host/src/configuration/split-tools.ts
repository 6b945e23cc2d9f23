import type { McpToolConfiguration, PlacedMessage, ToolConfiguration } from './configuration.ts'

/** The `[tools.<name>]` tables by where their tools come from, and what of them does not fit there. */
export interface SplitTools {
  local: Readonly<Record<string, ToolConfiguration>>
  mcp: Readonly<Record<string, McpToolConfiguration>>
  problems: readonly PlacedMessage[]
}

/** A table whose keys were checked, one by one. */
export type ToolTable = Partial<ToolConfiguration> & { source: string }

/** What can be said of a tool of a server; everything else is said by the server, or in its own table. */
const MCP_KEYS: readonly string[] = [
  'source',
  'title',
  'summary',
  'description',
  'examples',
  'run',
  'deduplicate',
  'pin',
  'questions',
  'parameters',
  'stateful',
  'on_turn_end',
  'timeout_secs',
]

/** Tells tools that are executables from those of MCP servers (`source = "mcp.<server>.<tool>"`). */
export function splitTools(tables: Readonly<Record<string, ToolTable>>): SplitTools {
  const problems: PlacedMessage[] = []
  const local: [string, ToolConfiguration][] = []
  const mcp: [string, McpToolConfiguration][] = []
  for (const [name, table] of Object.entries(tables)) {
    const path = ['tools', name]
    const { command } = table
    const from = readMcpSource(table.source)
    if (from) {
      for (const key of Object.keys(table).filter((each) => !MCP_KEYS.includes(each)))
        problems.push({
          path: [...path, key],
          message: `means nothing for a tool of an MCP server; expected ${MCP_KEYS.join(', ')}`,
        })
      mcp.push([name, { ...table, ...from }])
    } else if (command === undefined)
      problems.push({
        path: [...path, 'command'],
        message: 'is required and missing; expected a value',
      })
    else local.push([name, { ...table, command }])
  }
  return { local: Object.fromEntries(local), mcp: Object.fromEntries(mcp), problems }
}

/** `mcp.<server>.<tool>`; tools may have dots in their names, so a server that is named here has none. */
function readMcpSource(source: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp\.([^.]+)\.(.+)$/s.exec(source) ?? []
  return server !== undefined && tool !== undefined ? { server, tool } : undefined
}
