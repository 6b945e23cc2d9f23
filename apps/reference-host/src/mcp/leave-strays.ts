import type { Configuration } from '../configuration/configuration.ts'
import { didYouMean } from '../did-you-mean.ts'
import type { LeftOut } from '../tools/left-out.ts'

/** Tables of tools whose server is nowhere. */
export function leaveStrays(
  { mcp }: Pick<Configuration, 'mcp'>,
  servers: readonly string[],
  named: readonly string[] | undefined,
): readonly LeftOut[] {
  return Object.entries(mcp.tools).flatMap(([tool, { server }]) => {
    if (servers.includes(server) || named?.includes(tool) === false) return []
    const known = servers.map((name) => JSON.stringify(name)).join(', ') || 'none'
    const message = `no server ${JSON.stringify(server)} is configured; there is ${known}${didYouMean(server, servers)}`
    return [{ tool, reason: 'undescribed', path: ['tools', tool, 'source'], message }]
  })
}
