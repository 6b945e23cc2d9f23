import type { ToolDefinition } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../../terminal/terminal.ts'
import type { HostEntry } from '../hosts/host-file.ts'
import { HOST_NAMES } from '../hosts/mcp-hosts.ts'

/** The columns between a name and its description. */
const GAP = 2

/** Shows a person who started a server at a terminal its tools, the entry that an MCP host needs to start it, and that it waits. */
export function reportServedTools(
  { note, style, sanitize }: Terminal,
  {
    definitions,
    entry: { name, command, args },
    command: own,
  }: { definitions: readonly ToolDefinition[]; entry: HostEntry; command: string },
): void {
  const width = Math.max(0, ...definitions.map((each) => each.name.length))
  for (const { name: tool, summary, description } of definitions) {
    const [first = ''] = (summary ?? description ?? '').split('\n')
    const gap = ' '.repeat(width + GAP - tool.length)
    note(joinTerminal([style.cyan(`  ${tool}`), style.dim(first)], gap))
  }
  note(style.plain('An MCP host starts this server with this entry:'))
  note(sanitize(JSON.stringify({ mcpServers: { [name]: { command, args } } }, null, 2)))
  note(
    style.dim(
      `${own} serve … --install HOST writes it into the file of a host: ${HOST_NAMES.join(', ')}.`,
    ),
  )
  note(style.dim('Now waiting for a client on standard input. Ctrl-C ends the server.'))
}
