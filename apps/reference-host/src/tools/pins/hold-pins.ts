import type { ResolvedTool } from '../resolve-tool.ts'
import { type Pin, pinOf } from './pin.ts'
import type { Pins } from './pin-file.ts'

/** A tool that describes itself otherwise than recorded. */
export interface PinChange {
  tool: string
  before: Pin
  now: Pin
  /** Left out until it is accepted. */
  isPinned: boolean
}

/** Tools held against what is recorded of them. */
export interface HeldTools {
  /** Those that may be called. */
  tools: readonly ResolvedTool[]
  changes: readonly PinChange[]
  /** Seen for the first time. */
  unseen: Pins
}

/** Compares what tools say of themselves with their pins. */
export function holdPins(tools: readonly ResolvedTool[], pins: Pins): HeldTools {
  const said = tools.flatMap(({ entry, described, isPinned }) =>
    described ? [{ tool: entry.tool.name, now: pinOf(described), isPinned }] : [],
  )
  const changes = said.flatMap((each) => {
    const before = pins.get(each.tool)
    return before && before.sha256 !== each.now.sha256 ? [{ ...each, before }] : []
  })
  const refused = new Set(changes.filter(({ isPinned }) => isPinned).map(({ tool }) => tool))
  return {
    tools: tools.filter(({ entry }) => !refused.has(entry.tool.name)),
    changes,
    unseen: new Map(said.flatMap(({ tool, now }) => (pins.has(tool) ? [] : [[tool, now]]))),
  }
}
