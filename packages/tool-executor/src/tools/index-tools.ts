import { createFailure, isJsonObject, type ToolResult } from '@toolblocks/protocol'
import { ToolExecutorError } from '../executor-error.ts'
import { isPolicy, policies, type ToolEntry } from './tool-entry.ts'

/** Tools by name. */
export type ToolEntries = ReadonlyMap<string, ToolEntry>

/** Indexes tools by name; what is no entry, or a second one of its name, is a mistake of the host. */
export function indexTools(entries: readonly ToolEntry[]): ToolEntries {
  const index = new Map<string, ToolEntry>()
  for (const [place, entry] of entries.entries()) {
    checkEntry(entry, `tools[${place}]`)
    const { name } = entry.tool
    if (index.has(name))
      throw new ToolExecutorError('duplicate-tool', `Two tools are named "${name}"; rename one.`)
    index.set(name, entry)
  }
  return index
}

/** Untyped hosts get this wrong. */
function checkEntry(entry: unknown, place: string): void {
  const { tool, policy } = isJsonObject(entry) ? entry : {}
  if (
    !isJsonObject(tool) ||
    typeof tool['name'] !== 'string' ||
    typeof tool['execute'] !== 'function'
  ) {
    const isTool = isJsonObject(entry) && typeof entry['execute'] === 'function'
    const got = isTool ? 'a tool itself; write {tool: …}' : JSON.stringify(entry)
    const message = `${place}: expected {tool, policy?, …} with a tool that has a name and execute, got ${got}.`
    throw new ToolExecutorError('bad-entry', message)
  }
  if (policy === undefined || isPolicy(policy)) return
  const message = `${place} ("${tool['name']}"): policy: expected ${Object.keys(policies).join(', ')}, got ${JSON.stringify(policy)}.`
  throw new ToolExecutorError('bad-entry', message)
}

/** Tells a model which tools there are. */
export function unknownTool(name: string, entries: ToolEntries): ToolResult {
  const names = [...entries.keys()].toSorted()
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return createFailure(`There is no tool "${name}". ${known}`)
}
