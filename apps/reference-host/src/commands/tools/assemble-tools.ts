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

/** Which tools are wanted, and of which it may be recorded what they say of themselves. */
export interface AssembleOptions {
  serverNames: readonly string[]
  only: readonly string[] | undefined
  isRecorded(tool: string): boolean
}

/** Puts the tools of programs and those of servers together. */
export function assembleTools(
  configuration: Configuration,
  local: Pick<ResolvedTools, 'tools' | 'left'>,
  offered: Pick<ServerTools, 'tools' | 'left'>,
  { serverNames, only, isRecorded }: AssembleOptions,
): AssembledTools {
  const { tools: found, left: lost } = onlyWanted(offered, only)
  const strays = leaveStrays(configuration, serverNames, only)
  return {
    pins: openPins(configuration, [...local.tools, ...found], { servers: serverNames, isRecorded }),
    unusable: [...local.left, ...strays, ...lost],
  }
}

/** A server that a wanted tool needs matters as a whole; of its tools, only the wanted ones do. */
function onlyWanted(
  { tools, left }: Pick<ServerTools, 'tools' | 'left'>,
  only: readonly string[] | undefined,
): Pick<ServerTools, 'tools' | 'left'> {
  if (!only) return { tools, left }
  return {
    tools: tools.filter(({ entry }) => only.includes(entry.tool.name)),
    left: left.filter(({ tool, path }) => path[0] !== 'tools' || only.includes(tool)),
  }
}
