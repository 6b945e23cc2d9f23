import { serverOfTool } from '@toolblocks/mcp-bridge/names'
import type { Configuration } from '../configuration/configuration.ts'
import type { WrittenServer } from './written-servers.ts'

/** A server that some command needs. */
export interface WantedServer {
  written: WrittenServer
  /** A person has typed the name of a tool that only it can have, which is the yes to start it. */
  isNamed: boolean
}

/** The servers behind tools that were named; all of them where none was. */
export function wantedServers(
  servers: readonly WrittenServer[],
  { tools, mcp }: Pick<Configuration, 'tools' | 'mcp'>,
  named: readonly string[] | undefined,
): readonly WantedServer[] {
  if (!named) return servers.map((written) => ({ written, isNamed: false }))
  const names = servers.map(({ name }) => name)
  const wanted = new Set<string>()
  for (const tool of named) {
    if (Object.hasOwn(tools, tool)) continue
    const table = Object.hasOwn(mcp.tools, tool) ? mcp.tools[tool] : undefined
    const server = table?.server ?? serverOfTool(tool, names)
    if (server !== undefined) wanted.add(server)
  }
  return servers.flatMap((written) =>
    wanted.has(written.name) ? [{ written, isNamed: true }] : [],
  )
}
