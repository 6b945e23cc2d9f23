import type { Routes } from '@toolblocks/inquiry'
import type { JsonSchema, Tool } from '@toolblocks/protocol'

/** What stands between a call and its execution. `skip` leaves the call out and lets the model go on. */
export type Policy = 'unattended' | 'ask' | 'deny' | 'skip'

/** All policies. */
export const policies: Readonly<Record<Policy, true>> = {
  unattended: true,
  ask: true,
  deny: true,
  skip: true,
}

/** Says whether a value is a policy. */
export function isPolicy(value: unknown): value is Policy {
  return typeof value === 'string' && Object.hasOwn(policies, value)
}

/** One tool with its settings; the settings are the host's, so they are not on `Tool`. */
export interface ToolEntry {
  /** What runs. */
  tool: Tool
  /** Default: `ask`. */
  policy?: Policy
  /** Handed to the tool as `ToolContext.options`. */
  options?: Readonly<Record<string, unknown>>
  /** Where the tool comes from, as in the configuration: `local`, `local.<entry>`, `mcp.<server>`, `builtin`. Only shown. */
  source?: string
  /** `as-given`: arguments are checked but left as they came, for a server that reads them itself. Default: `completed`. */
  arguments?: 'completed' | 'as-given'
  /** Defaults that are filled in even where arguments stay as given, as a schema (`mergeToolOverrides`): the host has said them, the server does not know them. */
  defaults?: JsonSchema
  /** Who answers the tool's questions, by question id. Default: the user. */
  routes?: Routes
  /** What becomes of the tool's live calls at the end of a turn. Default: `abort`. */
  onTurnEnd?: 'abort' | 'keep'
  /** Whether resources this tool returns again may be delivered as references. Default: the host's. */
  deduplicate?: boolean
}
