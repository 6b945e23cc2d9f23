import type { QuestionRoutes } from '@toolblocks/inquiry'
import {
  type JsonSchema,
  type Tool,
  type ToolDefinition,
  type ToolResult,
  createFailure,
  isJsonObject,
} from '@toolblocks/protocol'
import { type LiveSchemaForm, liveSchema } from './live-schema.ts'

/** What stands between a call and its execution. `skip` leaves the call out and lets the model go on. */
export type ToolPolicy = (typeof POLICIES)[number]
/** All policies; `Policy` says what each means. */
const POLICIES = ['unattended', 'ask', 'deny', 'skip'] as const

/** One tool with its settings; the settings are the host's, so they are not on `Tool`. */
export interface ToolEntry {
  /** What runs. */
  tool: Tool
  /** Default: `ask`. */
  policy?: ToolPolicy
  /** Handed to the tool as `ToolContext.options`. */
  options?: Readonly<Record<string, unknown>>
  /** Where the tool comes from, as in the configuration: `local`, `local.<entry>`, `mcp.<server>`, `builtin`. Only shown. */
  source?: string
  /** `as-given`: arguments are checked but left as they came, for a server that reads them itself. Default: `completed`. */
  arguments?: 'completed' | 'as-given'
  /** Defaults that are filled in even where arguments stay as given, as a schema (`mergeToolOverrides`): the host has said them, the server does not know them. */
  defaults?: JsonSchema
  /** Who answers the tool's questions, by question id. Default: the user. */
  routes?: QuestionRoutes
  /** What becomes of the tool's live calls at the end of a turn. Default: `abort`. */
  onTurnEnd?: 'abort' | 'keep'
  /** Whether resources this tool returns again may be delivered as references. Default: the host's. */
  deduplicate?: boolean
}

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
  if (policy === undefined || POLICIES.some((name) => name === policy)) return
  const message = `${place} ("${tool['name']}"): policy: expected ${POLICIES.join(', ')}, got ${JSON.stringify(policy)}.`
  throw new ToolExecutorError('bad-entry', message)
}

/** Two tools of one name, or something that is no entry of a tool. */
export type ToolExecutorErrorCode = 'duplicate-tool' | 'bad-entry'

/** The executor was set up wrongly. */
export class ToolExecutorError extends Error {
  readonly code: ToolExecutorErrorCode

  constructor(code: ToolExecutorErrorCode, message: string) {
    super(message)
    this.name = 'ToolExecutorError'
    this.code = code
  }
}

/** Tells a model which tools there are. */
export function unknownTool(name: string, entries: ToolEntries): ToolResult {
  const names = [...entries.keys()].toSorted()
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return createFailure(`There is no tool "${name}". ${known}`)
}

/** What a model may know of a tool: its definition without its functions; a live one with its actions. */
export function getDefinition(tool: Tool, form: LiveSchemaForm): ToolDefinition {
  const {
    execute: _execute,
    formatArguments: _format,
    spawn,
    actions: _actions,
    ...definition
  } = tool
  return spawn ? { ...definition, inputSchema: liveSchema(tool, form) } : definition
}
