import type { Configuration } from '../configuration/configuration.ts'
import { didYouMeanOneOf } from '../../terminal/did-you-mean.ts'
import type { LeftOut } from '../tools/left-out.ts'

/** Tables of tools whose server is nowhere. */
export function leaveStrays(
  { mcp }: Pick<Configuration, 'mcp'>,
  servers: readonly string[],
  named: readonly string[] | undefined,
): readonly LeftOut[] {
  return Object.entries(mcp.tools).flatMap(([tool, { server }]) => {
    if (servers.includes(server) || named?.includes(tool) === false) return []
    const message = `no server ${JSON.stringify(server)} is configured${didYouMeanOneOf(server, servers, 'there is')}`
    return [{ tool, reason: 'undescribed', path: ['tools', tool, 'source'], message }]
  })
}
