import type { McpServer } from '@toolblocks/mcp-bridge'
import { type JsonSchema, type Tool } from '@toolblocks/protocol'
import { mergeToolOverrides, splitPointer } from '@toolblocks/protocol/internal'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import type { Configuration, Diagnostic } from '../configuration/configuration.ts'
import type { McpToolConfiguration } from '../configuration/tool-schema.ts'
import { getOrigins, getOwnTexts, shapeEntry, toRoutes } from '../tools/define-tool.ts'
import type { UnavailableTool } from '../tools/unavailable-tool.ts'
import { type ResolvedTools, type ResolvedTool, joinResolved } from '../tools/resolve-tools.ts'
import type { OpenedServer, StartingServer } from './open-servers.ts'
import { askingForLogin, makeLoginEntry } from './person-login.ts'
import type { WrittenServer } from './written-servers.ts'

/** Offers every tool of a server as `server__tool`. A tool with a table of its own is offered by the name of the table. */
export async function makeEntries(
  server: McpServer,
  { own, waiting }: Pick<WrittenServer, 'own' | 'waiting'>,
  tables: Readonly<Record<string, McpToolConfiguration>>,
): Promise<Omit<ResolvedTools, 'problems'>> {
  const known = new Map(
    server.tools().map((tool) => [server.nameOnServer(tool.name) ?? tool.name, tool]),
  )
  const named = Object.entries(tables).filter(([, table]) => table.server === server.name)
  const left: UnavailableTool[] = []
  const warnings: Diagnostic[] = []
  const tools: ResolvedTool[] = []
  for (const [name, table] of named) {
    const path = ['tools', name]
    const tool = known.get(table.tool)
    if (!tool) {
      const names = [...known.keys()]
      const message = `the server "${server.name}" has no tool ${JSON.stringify(table.tool)}${formatSuggestions(table.tool, names, 'it has')}`
      left.push({ tool: name, reason: 'undescribed', path: [...path, 'source'], message })
      continue
    }
    const { definition, problems, defaults } = mergeToolOverrides(
      { ...tool, name },
      { ...getOwnTexts(table), ...(table.parameters && { parameters: table.parameters }) },
    )
    for (const problem of problems)
      warnings.push({ path: [...path, ...splitPointer(problem.path)], message: problem.message })
    const entry = makeEntry(
      { ...tool, ...definition },
      { described: { ...tool, name }, own, table, defaults },
    )
    const shaped = await shapeEntry(name, entry, table)
    if (shaped.ok) tools.push(shaped.entry)
    else
      left.push(
        ...shaped.problems.map((problem) => ({
          tool: name,
          reason: 'undescribed' as const,
          ...problem,
        })),
      )
  }
  const taken = new Set([...waiting, ...named.map(([, table]) => table.tool)])
  const plain = [...known].flatMap(([onServer, tool]) =>
    // A table may have the name of a tool that the server added later.
    taken.has(onServer) || Object.hasOwn(tables, tool.name)
      ? []
      : [
          makeEntry(tool, {
            described: tool,
            own,
            table: {
              source: `mcp.${server.name}.${onServer}`,
              server: server.name,
              tool: onServer,
            },
          }),
        ],
  )
  return { tools: [...tools, ...plain], left, warnings }
}

function makeEntry(
  tool: Tool,
  {
    described,
    own,
    table,
    defaults,
  }: {
    described: Tool
    own: WrittenServer['own']
    table: McpToolConfiguration
    /** Schema with the defaults of the table, which the server does not know. */
    defaults?: JsonSchema | undefined
  },
): ResolvedTool {
  const { execute: _execute, ...description } = described
  const policy = table.run ?? own.run
  const defer = table.defer ?? own.defer
  return {
    tool,
    source: table.source,
    server: table.server,
    // The server checks its arguments itself, and may accept what its schema does not describe.
    arguments: 'as-given',
    ...(defaults !== undefined && { defaults }),
    ...(policy && { policy }),
    ...(table.questions && { routes: toRoutes(table.questions) }),
    ...(table.deduplicate !== undefined && { deduplicate: table.deduplicate }),
    ...(defer !== undefined && { defer }),
    ...(table.on_turn_end && { onTurnEnd: table.on_turn_end }),
    origins: getOrigins(tool, table, 'server'),
    described: description,
    isPinned: table.pin ?? own.pin ?? false,
  }
}

/** Returns the tools of connected servers, and why other servers failed. */
export async function resolveServerTools(
  opened: readonly (OpenedServer | StartingServer)[],
  configuration: Pick<Configuration, 'mcp' | 'file'>,
): Promise<ResolvedTools> {
  const resolved = opened.map(async (one): Promise<readonly Partial<ResolvedTools>[]> =>
    one.ok
      ? [
          withLogin(await makeEntries(one.server, one.written, configuration.mcp.tools), one),
          { warnings: getWarnings(one.written, one.server) },
        ]
      : one.reason === 'login'
        ? [{ tools: one.login ? [makeLoginEntry(one.written, one.login)] : [] }]
        : [{ left: listUnavailableTools(one, configuration) }],
  )
  return joinResolved((await Promise.all(resolved)).flat())
}

/** The calls of a server with `login = "each"` ask for the login. */
function withLogin<Resolved extends Pick<ResolvedTools, 'tools'>>(
  resolved: Resolved,
  { login }: Extract<OpenedServer, { ok: true }>,
): Resolved {
  if (!login) return resolved
  const tools = resolved.tools.map((entry) => ({
    ...entry,
    tool: askingForLogin(entry.tool, login),
  }))
  return { ...resolved, tools }
}

function listUnavailableTools(
  opened: Exclude<Extract<OpenedServer | StartingServer, { ok: false }>, { reason: 'login' }>,
  { file }: Pick<Configuration, 'file'>,
): readonly UnavailableTool[] {
  const { written } = opened
  const location = getServerPlace(written, file)
  const tool = `the server ${written.name}`
  switch (opened.reason) {
    case 'aborted':
    case 'starting':
      return []
    case 'failed': {
      const fix = opened.fix === undefined ? '' : `. ${opened.fix}`
      return [{ tool, reason: 'undescribed', ...location, message: `${opened.message}${fix}` }]
    }
  }
}

/** Returns the place of a server. The file is named if it is not the configuration. */
export function getServerPlace(
  { name, file }: WrittenServer,
  own: string,
): Pick<UnavailableTool, 'path' | 'file'> {
  return file === own ? { path: ['mcp', 'servers', name] } : { path: ['mcpServers', name], file }
}

function getWarnings({ name }: WrittenServer, server: McpServer): readonly Diagnostic[] {
  return server.problems.map(({ path, message, code }) => ({
    path: ['mcp', 'servers', name],
    message:
      code === 'stray-line'
        ? message
        : `in its list of tools, ${path === '' ? 'at the top' : path}: ${message}`,
  }))
}
