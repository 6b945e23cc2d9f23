import { type Configuration, describePlace } from '../configuration/configuration.ts'

/** Returns the file and the line of `run` in the table of a tool; `undefined` if the table does not set it. */
export function placePolicy(
  { tools, mcp, locate }: Pick<Configuration, 'tools' | 'mcp' | 'locate'>,
  tool: string,
): string | undefined {
  const tables = Object.hasOwn(tools, tool) ? tools : mcp.tools
  if (!Object.hasOwn(tables, tool) || tables[tool]?.run === undefined) return undefined
  return describePlace(locate({ path: ['tools', tool, 'run'], message: '' }))
}
