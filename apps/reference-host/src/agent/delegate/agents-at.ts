import type { AgentConfiguration } from '../../configuration/configuration.ts'

/** The agents that may be started so far below the conversation of the person. */
export function agentsAt(
  agents: Readonly<Record<string, AgentConfiguration>>,
  depth: number,
): Readonly<Record<string, AgentConfiguration>> {
  return Object.fromEntries(
    Object.entries(agents).filter(([, { max_depth: deepest = 1 }]) => depth <= deepest),
  )
}
