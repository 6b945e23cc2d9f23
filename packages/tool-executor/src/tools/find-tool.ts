import { createErrorResult, type ToolResult } from '@toolblocks/protocol'
import { propertySchema } from '../arguments/declared-types.ts'
import { ToolExecutorError } from '../executor-error.ts'
import { RESERVED } from '../handles/live-schema.ts'
import type { ToolEntry } from './tool-entry.ts'

/** Tools by name. */
export type ToolEntries = ReadonlyMap<string, ToolEntry>

/** Indexes tools by name; two tools of one name are a mistake of the host. */
export function indexTools(entries: readonly ToolEntry[]): ToolEntries {
  const index = new Map<string, ToolEntry>()
  for (const entry of entries) {
    const { name } = entry.tool
    if (index.has(name))
      throw new ToolExecutorError('duplicate-tool', `Two tools are named "${name}"; rename one.`)
    refuseReserved(entry)
    index.set(name, entry)
  }
  return index
}

function refuseReserved({ tool }: ToolEntry): void {
  const { name, inputSchema, spawn } = tool
  const taken = RESERVED.find((parameter) => propertySchema(inputSchema, parameter) !== undefined)
  if (!spawn || taken === undefined) return
  const message = `The live tool "${name}" has a parameter "${taken}", which its actions need; rename it.`
  throw new ToolExecutorError('reserved-parameter', message)
}

/** Tells a model which tools there are. */
export function unknownTool(name: string, entries: ToolEntries): ToolResult {
  const names = [...entries.keys()].toSorted()
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return createErrorResult(`There is no tool "${name}". ${known}`, undefined, { outcome: 'failed' })
}
