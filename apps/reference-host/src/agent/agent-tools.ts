import { isDeepStrictEqual } from 'node:util'
import type { Tool } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { OpenedTools } from '../commands/tools/open-tools.ts'

/** The tools of an agent, which may change from turn to turn. */
export interface AgentTools {
  /** As they are now. */
  entries(): readonly ToolEntry[]
  /** Takes up what programs and servers say of themselves by now, for the turn that begins. */
  beginTurn(): Promise<readonly ToolEntry[]>
}

/** Follows tools as they are described anew; `tell` is given one line where something has changed. */
export function createAgentTools(
  { entries: first, readers, renew }: Pick<Opened, 'entries' | 'readers' | 'renew'>,
  tell: (line: string) => void,
): AgentTools {
  let entries = first
  return {
    entries: () => entries,
    beginTurn: async () => {
      const renewed = (await renew())?.map(({ entry }) => entry)
      const line = renewed && describeChange(entries, renewed)
      if (line !== undefined) tell(line)
      entries = renewed ?? entries
      return [...entries, ...readers]
    },
  }
}

type Opened = Extract<OpenedTools, { ok: true }>

/** `Tools have changed: a is new, b is gone, c says something else of itself.` */
function describeChange(
  before: readonly ToolEntry[],
  after: readonly ToolEntry[],
): string | undefined {
  const [old, now] = [byName(before), byName(after)]
  const changes = [
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => `${name} is new`),
    ...[...old.keys()].filter((name) => !now.has(name)).map((name) => `${name} is gone`),
    ...[...now]
      .filter(([name, tool]) => old.has(name) && !isSame(old.get(name), tool))
      .map(([name]) => `${name} says something else of itself`),
  ]
  return changes.length === 0 ? undefined : `Tools have changed: ${changes.join(', ')}.`
}

function byName(entries: readonly ToolEntry[]): ReadonlyMap<string, Tool> {
  return new Map(entries.map(({ tool }) => [tool.name, tool]))
}

/** Whether two say the same; what runs them is made anew each time. */
function isSame(one: Tool | undefined, other: Tool): boolean {
  return isDeepStrictEqual(wordsOf(one), wordsOf(other))
}

function wordsOf(tool: Tool | undefined): unknown {
  return JSON.parse(JSON.stringify(tool ?? {}))
}
