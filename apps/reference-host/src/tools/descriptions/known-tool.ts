import type { Fingerprint } from '@toolblocks/local-executor'
import type { PlacedMessage, ToolConfiguration } from '../../configuration/configuration.ts'
import type { DefinedTool } from '../define-tool.ts'

/** What was made of a table and of what its program says. */
export interface MadeTool {
  defined: DefinedTool
  warnings: readonly PlacedMessage[]
}

/** A tool that an earlier start has made, and what it was made of. */
export interface KnownTool extends MadeTool {
  /** The table, as JSON. */
  table: string
  /** Of what the program is. */
  fingerprint: Fingerprint
}

/** What a known tool is compared by. */
export function tableOf(tool: ToolConfiguration): string {
  return JSON.stringify(tool)
}
