import { DELEGATE } from '@toolblocks/agent/internal/names'
import { wrapValidator } from '@toolblocks/schema-check/internal/generated'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInFolder } from '../files/real-path.ts'
import { adoptConversationTools } from './adopt-conversation-tools.ts'
import { checkParameters } from './check-parameters.ts'
import { checkRules, checkServeRules } from './check-rules.ts'
import type {
  Configuration,
  ConfigurationProblem,
  Diagnostic,
  WrittenConfiguration,
} from './configuration.ts'
import { placeProblem } from './place-problem.ts'
import { type TomlDocument, readToml } from './read-toml.ts'
import {
  MCP_KEYS,
  type McpToolConfiguration,
  type ToolConfiguration,
  type ToolTable,
} from './tool-schema.ts'
import { validate } from './validate-configuration.js'

/** The configuration, or all problems of the file. */
export type ParsedConfiguration =
  | { ok: true; configuration: Configuration; warnings: readonly ConfigurationProblem[] }
  | { ok: false; problems: readonly ConfigurationProblem[] }

type Table = Readonly<Record<string, unknown>>

/** Parses the text of a `toolblocks.toml`. `file` is only used in messages and is not opened. */
export async function parseConfiguration(text: string, file: string): Promise<ParsedConfiguration> {
  const toml = readToml(text)
  if (!toml.ok) return { ok: false, problems: [{ file, key: '', ...toml.problem }] }
  const { document } = toml
  const { value, adopted, ignored } = adoptConversationTools(document.value)
  const locate = (message: Diagnostic): ConfigurationProblem =>
    locateMessage(message, { document, file, adopted })
  const problems = checkShape(value)
  if (problems.length > 0) return { ok: false, problems: problems.map(locate) }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was checked
  const { tools: tables = {}, mcp, ...settings } = value as WrittenConfiguration
  const { local: tools, mcp: mcpTools, problems: misplaced } = splitTools(tables)
  const unusable = [
    ...misplaced,
    ...findTakenNames(tables, settings.agents),
    ...checkRules(settings.approvals),
    ...checkServeRules(settings.serve),
  ]
  if (unusable.length > 0) return { ok: false, problems: unusable.map(locate) }
  const checked = Object.entries({ ...tools, ...mcpTools }).map(
    async ([name, tool]) => await checkParameters(name, tool),
  )
  const misfits = (await Promise.all(checked)).flat()
  if (misfits.length > 0) return { ok: false, problems: misfits.map(locate) }
  const configuration = {
    format: {},
    deduplication: {},
    budget: {},
    tool_search: {},
    agents: {},
    prompts: {},
    ...settings,
    file,
    root: dirname(file),
    tools,
    mcp: { servers: mcp?.servers ?? {}, tools: mcpTools },
    locate,
  }
  const warnings = ignored.map((path) => ({
    path,
    message: 'this key has no meaning here and was ignored',
  }))
  return { ok: true, configuration, warnings: warnings.map(locate) }
}

/** Finds tools with the name of the tool that starts agents, which exists without a table. */
function findTakenNames(
  tables: Readonly<Record<string, ToolTable>>,
  agents: WrittenConfiguration['agents'] = {},
): readonly Diagnostic[] {
  if (Object.keys(agents).length === 0 || !Object.hasOwn(tables, DELEGATE)) return []
  const message = 'is the name of the tool that starts [agents]; expected another name'
  return [{ path: ['tools', DELEGATE], message }]
}

/** The validator is generated ahead: compiling the schema took a quarter of the time of a call. */
const check = wrapValidator(validate)

function checkShape(value: Table): readonly Diagnostic[] {
  return check(value).problems.map((problem) => placeProblem(problem, value))
}

function locateMessage(
  { path, message }: Diagnostic,
  source: { document: TomlDocument; file: string; adopted: ReadonlySet<string> },
): ConfigurationProblem {
  const isAdopted = path[0] === 'tools' && source.adopted.has(path[1] ?? '')
  const written = isAdopted ? ['conversation', ...path] : path
  const line = source.document.findLine(written)
  return {
    file: source.file,
    ...(line !== undefined && { line }),
    key: written.join('.'),
    message,
  }
}

/** The `[tools.<name>]` tables by the source of their tools, and the keys that do not fit that source. */
interface SplitTools {
  local: Readonly<Record<string, ToolConfiguration>>
  mcp: Readonly<Record<string, McpToolConfiguration>>
  problems: readonly Diagnostic[]
}

/** Separates tools that are executables from tools of MCP servers (`source = "mcp.<server>.<tool>"`). */
export function splitTools(tables: Readonly<Record<string, ToolTable>>): SplitTools {
  const problems: Diagnostic[] = []
  const local: [string, ToolConfiguration][] = []
  const mcp: [string, McpToolConfiguration][] = []
  for (const [name, table] of Object.entries(tables)) {
    const path = ['tools', name]
    const { command } = table
    const from = readMcpSource(table.source)
    if (from) {
      for (const key of Object.keys(table).filter((each) => !isMcpKey(each)))
        problems.push({
          path: [...path, key],
          message: `has no meaning for a tool of an MCP server; expected ${MCP_KEYS.join(', ')}`,
        })
      mcp.push([name, { ...table, ...from }])
    } else if (command === undefined)
      problems.push({
        path: [...path, 'command'],
        message: 'is required and missing; expected a value',
      })
    else local.push([name, { ...table, command }])
  }
  return { local: Object.fromEntries(local), mcp: Object.fromEntries(mcp), problems }
}

function isMcpKey(key: string): boolean {
  return MCP_KEYS.some((known) => known === key)
}

/** Parses `mcp.<server>.<tool>`. A tool's name may contain dots, so a server's name in a source has none. */
function readMcpSource(source: string): { server: string; tool: string } | undefined {
  const [, server, tool] = /^mcp\.([^.]+)\.(.+)$/s.exec(source) ?? []
  return server !== undefined && tool !== undefined ? { server, tool } : undefined
}

/** The user of this process, for checks of owners of files. */
interface FileUser {
  /** The user ids. For a command under sudo: root's and that of the person who typed it. */
  ids: readonly number[]
}

/** Returns the user of this process; `undefined` on Windows, where files have no such owners. */
export function findFileUser(
  environment: Readonly<Record<string, string | undefined>>,
): FileUser | undefined {
  const own = process.getuid?.()
  if (own === undefined) return undefined
  const { SUDO_UID: typedBy } = environment
  const isSudo = own === 0 && /^\d{1,10}$/.test(typedBy ?? '')
  return { ids: [0, own, ...(isSudo ? [Number(typedBy)] : [])] }
}

/** A file or a folder that another user could have written, and the reason. */
interface ForeignPath {
  path: string
  reason: string
}

/**
 * Checks whether another user could have written a file that has an effect here. The file, its folder and each folder up to where the search began
 * must belong to the user or to root, and must not be writable by everybody. In a folder with the sticky bit, such as /tmp, only the owner of a
 * file can replace it.
 */
export function findForeignPath(
  file: string,
  { from = dirname(file), user }: { from?: string; user: FileUser | undefined },
): ForeignPath | undefined {
  if (!user) return undefined
  for (const path of [file, ...foldersBetween(from, dirname(file))]) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (!stat) continue
    if (!user.ids.includes(stat.uid))
      return { path, reason: `belongs to the user with the number ${stat.uid}` }
    const isSticky = stat.isDirectory() && (stat.mode & STICKY) !== 0
    if ((stat.mode & WRITABLE_BY_ALL) !== 0 && !isSticky)
      return { path, reason: 'may be written by every user of this machine' }
  }
  return undefined
}

const STICKY = 0o1000

const WRITABLE_BY_ALL = 0o002

/** Returns the folder of the file, then the folders below it down to where the search began. */
function foldersBetween(from: string, top: string): readonly string[] {
  const folders: string[] = []
  for (let folder = from; folder !== top && folder !== dirname(folder); folder = dirname(folder))
    folders.push(folder)
  return [top, ...(isInFolder(from, top) ? folders : [])]
}
