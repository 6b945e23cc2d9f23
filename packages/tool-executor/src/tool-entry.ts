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

/** Whether a call needs permission. `skip` omits the call and lets the model continue. */
export type ToolPolicy = (typeof POLICIES)[number]
/** All policies; see `ToolPolicy`. */
const POLICIES = ['unattended', 'ask', 'deny', 'skip'] as const

/** A tool with its settings. The settings belong to the host, so `Tool` does not have them. */
export interface ToolEntry {
  /** The tool that runs. */
  tool: Tool
  /** Default: `ask`. */
  policy?: ToolPolicy
  /** Passed to the tool as `ToolContext.options`. */
  options?: Readonly<Record<string, unknown>>
  /** The origin of the tool, as in the configuration: `local`, `local.<entry>`, `mcp.<server>`, `builtin`. For display only. */
  source?: string
  /** The name of the MCP server that has the tool, as the host has configured it. For display only. Absent: no server. */
  server?: string
  /** `as-given`: arguments are checked, and only a null that the schema refuses is omitted, for a server that reads them itself. Default: `completed`. */
  arguments?: 'completed' | 'as-given'
  /** Defaults of the host that are filled in even if arguments stay as given, as a schema (`mergeToolOverrides`). The server does not know them. */
  defaults?: JsonSchema
  /** Who answers the tool's questions, by question id. Default: the user. */
  routes?: QuestionRoutes
  /** What happens to the tool's running stateful calls at the end of a turn. Default: `abort`. */
  onTurnEnd?: 'abort' | 'keep'
  /**
   * Whether the tool is omitted from `definitions` until a model has found it with the built-in tool `search_tools`. It can be called anyway. Default:
   * by the number of tools; see `ToolExecutorOptions.deferAbove`.
   */
  defer?: boolean
  /** Whether resources that this tool returns again may be delivered as references. Default: the host's setting. */
  deduplicate?: boolean
  /** The arguments and the parts of results that a model does not get; `shapeTool` makes it, with the tool. Default: a model gets everything. */
  shape?: EntryShape
}

/** What a model gets of a tool's arguments and results. */
export interface ToolShape {
  /**
   * The parts of a result's data that a model gets: paths such as `items/0/name` or JSON Pointers, with the step `*` for every item or member.
   * Default: the complete result.
   */
  select?: readonly string[]
  /** Arguments that every call gets. A model does not see them, and a call that has another value is refused. */
  fixed?: Readonly<Record<string, unknown>>
  /** Arguments that a model does not see, and that no call has. */
  hidden?: readonly string[]
}

/** The shape of an entry whose tool `shapeTool` has shaped. */
export interface EntryShape extends ToolShape {
  /** The schema of the tool itself. Calls are checked against it, with their fixed arguments. */
  inputSchema: JsonSchema
}

/** Tools by name. */
export type ToolEntries = ReadonlyMap<string, ToolEntry>

/** Indexes tools by name. An invalid entry or a repeated name is an error of the host. */
export function indexTools(entries: readonly ToolEntry[]): ToolEntries {
  const index = new Map<string, ToolEntry>()
  for (const [position, entry] of entries.entries()) {
    checkEntry(entry, `tools[${position}]`)
    const { name } = entry.tool
    if (index.has(name))
      throw new ToolExecutorError('duplicate-tool', `Two tools are named "${name}"; rename one.`)
    index.set(name, entry)
  }
  return index
}

/** Hosts without types can pass anything. */
function checkEntry(entry: unknown, path: string): void {
  const { tool, policy } = isJsonObject(entry) ? entry : {}
  if (
    !isJsonObject(tool) ||
    typeof tool['name'] !== 'string' ||
    typeof tool['execute'] !== 'function'
  ) {
    const isTool = isJsonObject(entry) && typeof entry['execute'] === 'function'
    const got = isTool ? 'a tool itself; write {tool: …}' : JSON.stringify(entry)
    const message = `${path}: expected {tool, policy?, …} with a tool that has a name and execute, got ${got}.`
    throw new ToolExecutorError('bad-entry', message)
  }
  if (policy === undefined || POLICIES.some((name) => name === policy)) return
  const message = `${path} ("${tool['name']}"): policy: expected ${POLICIES.join(', ')}, got ${JSON.stringify(policy)}.`
  throw new ToolExecutorError('bad-entry', message)
}

/** Two tools have the same name, an entry is invalid, or a text is not a rule. */
type ToolExecutorErrorCode = 'duplicate-tool' | 'bad-entry' | 'bad-rule'

/** Thrown if the options of an executor, or rules for it, are invalid. */
export class ToolExecutorError extends Error {
  readonly code: ToolExecutorErrorCode

  constructor(code: ToolExecutorErrorCode, message: string) {
    super(message)
    this.name = 'ToolExecutorError'
    this.code = code
  }
}

/** Tells a model that a tool does not exist, and which tools do. `listed`: the tools that the model knows. */
export function unknownTool(name: string, listed: readonly string[]): ToolResult {
  const names = listed.toSorted()
  const known = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.join(', ')}.`
  return createFailure(
    name.trim() === ''
      ? `The call has no name of a tool, and was not run. Make it again with the name of a tool. ${known}`
      : `There is no tool "${name}". ${known}`,
  )
}

/** Returns the part of a tool that a model sees: its definition without functions, and the actions of a stateful tool. */
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
