import type { ToolEntry } from '@toolblocks/tool-executor'
import { hashJson } from '../hash-json.ts'
import { wantedServers } from '../mcp/wanted-servers.ts'
import type { Part } from '../workspace/authority.ts'
import type { Workspace } from '../workspace/open-workspace.ts'

/**
 * The hash of what a tool says it is, and of all that is started, reached or sent for it, wherever that is written: a yes to a call is
 * a yes to these, not to a name.
 */
export function definitionOf(
  { tool }: Pick<ToolEntry, 'tool'>,
  { authorityOf, written }: Pick<Workspace, 'authorityOf' | 'written'>,
): string {
  const { name, title, summary, description, inputSchema, outputSchema, annotations } = tool
  const said = { name, title, summary, description, inputSchema, outputSchema, annotations }
  const servers = wantedServers(written.servers, written.configuration, [name])
  const parts: readonly Part[] = [
    `tool ${name}`,
    ...servers.map((server): Part => `server ${server.name}`),
  ]
  return hashJson({ said, start: authorityOf(parts).map(({ hash }) => hash) })
}
