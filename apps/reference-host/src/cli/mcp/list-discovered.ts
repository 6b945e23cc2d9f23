import { formatCommand } from '@toolblocks/local-executor/internal'
import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, sanitizeTerminalLine } from '@toolblocks/renderer'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { getUserPlaces } from '../hosts/mcp-hosts.ts'
import {
  type DiscoveredServer,
  type ServerPlace,
  discoverServers,
} from '../hosts/discover-servers.ts'
import type { ListServersOptions } from './list-servers.ts'
import { type ServerTable, maskServer } from '../../workspace/servers/mask-server.ts'

/** `toolblocks mcp list --discover`: lists the servers that other hosts on this machine have. It reads their files and starts nothing. */
export function listDiscovered(
  { terminal, folder, command }: CommandContext,
  { output }: ListServersOptions,
): number {
  const { servers, warnings } = discoverServers(getUserPlaces(), folder)
  for (const warning of warnings) terminal.report('warning', describeProblem(warning))
  if (output === 'json') {
    terminal.printJson(
      servers.map(({ name, table, places }) => ({ name, ...maskServer(table), places })),
    )
    return EXIT.ok
  }
  if (servers.length === 0) {
    terminal.note(terminal.sanitize('No files of other hosts with MCP servers were found.'))
    return EXIT.ok
  }
  terminal.print(
    joinTerminal(
      servers.map((server) => toLines(server, terminal)),
      '\n\n',
    ),
  )
  terminal.note(
    terminal.sanitize(
      `\n"${command} mcp add --from HOST NAME" adds one of them to toolblocks.toml, after you have seen it.`,
    ),
  )
  return EXIT.ok
}

function toLines({ name, table, places }: DiscoveredServer, terminal: Terminal): TerminalText {
  const { style } = terminal
  const lines = [
    style.bold(name),
    ...describeTable(maskServer(table), terminal),
    ...places.map((location) => describePlace(location, name, terminal)),
  ]
  return joinTerminal(lines, '\n  ')
}

function describePlace(
  { host, file, name, project, isDisabled }: ServerPlace,
  listed: string,
  { style }: Terminal,
): TerminalText {
  const notes = [
    ...(name === listed ? [] : [`as ${JSON.stringify(name)}`]),
    ...(project === undefined ? [] : [`in the project ${project}`]),
    ...(isDisabled ? ['disabled'] : []),
  ]
  const parts = [
    style.cyan(`${host}:`),
    sanitizeWhole(file),
    ...(notes.length === 0 ? [] : [style.dim(`(${notes.join(', ')})`)]),
  ]
  return joinTerminal(parts, ' ')
}

/** Formats a server on lines of their own. Nothing is cut, because a person cannot agree to text that is not shown. */
export function describeTable(
  { command, args = [], cwd, env = {}, url, headers = {} }: ServerTable,
  { style }: Pick<Terminal, 'style'>,
): readonly TerminalText[] {
  const lines: (readonly [string, string])[] = [
    ...(command === undefined ? [] : [['command', formatCommand([command, ...args])] as const]),
    ...(cwd === undefined ? [] : [['folder', cwd] as const]),
    ...(url === undefined ? [] : [['address', url] as const]),
    ...Object.entries(headers).map(([name, value]) => ['header', `${name}: ${value}`] as const),
    ...Object.entries(env).map(([name, value]) => ['variable', `${name}=${value}`] as const),
  ]
  return lines.map(([label, text]) =>
    joinTerminal([style.dim(`${label}:`), sanitizeWhole(text)], ' '),
  )
}

function sanitizeWhole(text: string): TerminalText {
  return sanitizeTerminalLine(text, { maxLength: Infinity })
}
