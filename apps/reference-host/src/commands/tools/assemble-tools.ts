import type { Configuration } from '../../configuration/configuration.ts'
import { leaveStrays } from '../../mcp/leave-strays.ts'
import type { ServerTools } from '../../mcp/resolve-server-tools.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import { openPins, type OpenedPins } from '../../tools/pins/open-pins.ts'
import type { ResolvedTools } from '../../tools/resolve-tools.ts'

/** What programs and servers offer, as a configuration has it. */
export interface AssembledTools {
  /** All of them, held against what is recorded. */
  pins: OpenedPins
  /** Tools that are configured and cannot be called, but for those that are pinned. */
  unusable: readonly LeftOut[]
}

/** Puts the tools of programs and those of servers together. */
export function assembleTools(
  configuration: Configuration,
  local: Pick<ResolvedTools, 'tools' | 'left'>,
  offered: Pick<ServerTools, 'tools' | 'left'>,
  { serverNames, named }: { serverNames: readonly string[]; named?: readonly string[] | undefined },
): AssembledTools {
  const { tools: found, left: lost } = onlyNamed(offered, named)
  const strays = leaveStrays(configuration, serverNames, named)
  return {
    pins: openPins(configuration, [...local.tools, ...found], serverNames),
    unusable: [...local.left, ...strays, ...lost],
  }
}

/** A server that a named tool needs matters as a whole; of its tools, only the named ones do. */
function onlyNamed(
  { tools, left }: Pick<ServerTools, 'tools' | 'left'>,
  named: readonly string[] | undefined,
): Pick<ServerTools, 'tools' | 'left'> {
  if (!named) return { tools, left }
  return {
    tools: tools.filter(({ entry }) => named.includes(entry.tool.name)),
    left: left.filter(({ tool, path }) => path[0] !== 'tools' || named.includes(tool)),
  }
}
