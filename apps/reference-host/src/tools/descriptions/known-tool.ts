import { isDeepStrictEqual } from 'node:util'
import type { Fingerprint } from '@toolblocks/local-executor'
import type { PlacedMessage, ToolConfiguration } from '../../configuration/configuration.ts'
import type { DefinedTool, PinnedDefinition } from '../define-tool.ts'

/** What was made of a table and of what its program says. */
export interface MadeTool {
  defined: DefinedTool
  warnings: readonly PlacedMessage[]
}

/** A tool that an earlier start has made, and what it was made of. */
export interface KnownTool extends Pick<MadeTool, 'warnings'> {
  /** The table, as JSON. */
  table: string
  /** Of what the program is. */
  fingerprint: Fingerprint
  /** What its program says is mostly the definition itself, and then not kept and read twice. */
  defined: Omit<DefinedTool, 'described'> & { described?: PinnedDefinition | 'as-defined' }
}

/** What a known tool is compared by. */
export function tableOf(tool: ToolConfiguration): string {
  return JSON.stringify(tool)
}

/** A tool as it is kept. */
export function toKnown(
  { defined, warnings }: MadeTool,
  made: Pick<KnownTool, 'table' | 'fingerprint'>,
): KnownTool {
  const { described, ...rest } = defined
  const isSame = isDeepStrictEqual(described, defined.definition)
  const kept = isSame ? 'as-defined' : described
  return { ...made, defined: { ...rest, ...(kept && { described: kept }) }, warnings }
}

/** A tool as it was made. */
export function toMade({ defined, warnings }: KnownTool): MadeTool {
  const { described, ...rest } = defined
  const said = described === 'as-defined' ? defined.definition : described
  return { defined: { ...rest, ...(said && { described: said }) }, warnings }
}
