import type { McpServer } from '@toolblocks/mcp-bridge'
import type { Configuration, PlacedMessage } from '../configuration/configuration.ts'
import type { LeftOut } from '../tools/left-out.ts'
import type { ResolvedTool } from '../tools/resolve-tool.ts'
import { makeEntries } from './make-entries.ts'
import type { OpenedServer } from './open-servers.ts'
import type { WrittenServer } from './written-servers.ts'

/** What opened servers come to. */
export interface ServerTools {
  tools: readonly ResolvedTool[]
  left: readonly LeftOut[]
  warnings: readonly PlacedMessage[]
}

/** The tools of servers that were opened, and of those that were not, why. */
export function resolveServerTools(
  opened: readonly OpenedServer[],
  configuration: Pick<Configuration, 'mcp' | 'file'>,
): ServerTools {
  const each = opened.map((one): ServerTools => {
    if (!one.ok) return { tools: [], left: leaveOut(one, configuration), warnings: [] }
    const made = makeEntries(one.server, one.written, configuration.mcp.tools)
    return { ...made, warnings: [...made.warnings, ...warningsOf(one.written, one.server)] }
  })
  return {
    tools: each.flatMap(({ tools }) => tools),
    left: each.flatMap(({ left }) => left),
    warnings: each.flatMap(({ warnings }) => warnings),
  }
}

function leaveOut(
  opened: Extract<OpenedServer, { ok: false }>,
  { file }: Pick<Configuration, 'file'>,
): readonly LeftOut[] {
  const { written } = opened
  const place = placeOfServer(written, file)
  const tool = `the server ${written.name}`
  switch (opened.reason) {
    case 'aborted':
      return []
    case 'failed': {
      const fix = opened.fix === undefined ? '' : `. ${opened.fix}`
      return [{ tool, reason: 'undescribed', ...place, message: `${opened.message}${fix}` }]
    }
  }
}

/** Where a server stands; in another file than the configuration, the file is named. */
export function placeOfServer(
  { name, file }: WrittenServer,
  own: string,
): Pick<LeftOut, 'path' | 'file'> {
  return file === own ? { path: ['mcp', 'servers', name] } : { path: ['mcpServers', name], file }
}

function warningsOf({ name }: WrittenServer, server: McpServer): readonly PlacedMessage[] {
  return server.problems.map(({ path, message }) => ({
    path: ['mcp', 'servers', name],
    message: `in its list of tools, ${path === '' ? 'all of it' : path}: ${message}`,
  }))
}
