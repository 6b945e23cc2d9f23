import type { ToolDefinition } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import type { Terminal } from '../../terminal/terminal.ts'
import type { HostEntry } from './host-entry.ts'
import { HOST_NAMES } from './host-names.ts'

/** What is told to whoever started a server by hand. */
export interface Served {
  definitions: readonly Pick<ToolDefinition, 'name' | 'summary' | 'description'>[]
  entry: HostEntry
  /** What to type to start this program. */
  command: string
}

/** Columns between a name and what is said of it. */
const GAP = 2

/** Tells a person who started a server at a terminal what it offers, what an MCP host needs to start it, and that it waits. */
export function tellServed(
  { note, style, sanitize }: Pick<Terminal, 'note' | 'style' | 'sanitize'>,
  { definitions, entry: { name, command, args }, command: own }: Served,
): void {
  const width = Math.max(0, ...definitions.map((each) => each.name.length))
  for (const { name: tool, summary, description } of definitions) {
    const [first = ''] = (summary ?? description ?? '').split('\n')
    const gap = ' '.repeat(width + GAP - tool.length)
    note(joinTerminal([style.cyan(`  ${tool}`), style.dim(first)], gap))
  }
  note(style.plain('An MCP host starts it with this entry:'))
  note(sanitize(JSON.stringify({ mcpServers: { [name]: { command, args } } }, null, 2)))
  note(
    style.dim(
      `${own} serve … --install HOST writes it into the file of a host: ${HOST_NAMES.join(', ')}.`,
    ),
  )
  note(style.dim('It waits for a client on standard input now; Ctrl-C ends it.'))
}
