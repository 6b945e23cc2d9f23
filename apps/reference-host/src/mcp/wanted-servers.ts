import { serverOfTool } from '@toolblocks/mcp-bridge/names'
import type { Configuration } from '../configuration/configuration.ts'
import type { WrittenServer } from './written-servers.ts'

/** The servers behind some tools; all of them where no tools are given. */
export function wantedServers(
  servers: readonly WrittenServer[],
  { tools, mcp }: Pick<Configuration, 'tools' | 'mcp'>,
  only: readonly string[] | undefined,
): readonly WrittenServer[] {
  if (!only) return servers
  const names = servers.map(({ name }) => name)
  const wanted = new Set<string>()
  for (const tool of only) {
    if (Object.hasOwn(tools, tool)) continue
    const table = Object.hasOwn(mcp.tools, tool) ? mcp.tools[tool] : undefined
    const server = table?.server ?? serverOfTool(tool, names)
    if (server !== undefined) wanted.add(server)
  }
  return servers.filter(({ name }) => wanted.has(name))
}
