import { joinTerminal } from '@toolblocks/renderer'
import type { TerminalText } from '@toolblocks/protocol'
import { EXIT } from '../../process/exit-codes.ts'
import { type OpenedServer, openServers } from '../../workspace/servers/open-servers.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { WrittenServer } from '../../workspace/servers/written-servers.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { loadServers } from './load-servers.ts'

/** The options of `toolblocks mcp list`. */
export interface ListServersOptions extends SharedOptions {
  /** Lists the servers of other hosts. */
  discover?: boolean
}

/** One server in the list. */
interface ListedServer {
  name: string
  file: string
  state: 'connected' | 'failed' | 'waiting'
  protocolVersion?: string
  info?: { name: string; version: string }
  /** The names of the tools on the server. */
  tools: readonly string[]
  problems: readonly string[]
  fix?: string
}

/** `toolblocks mcp list`: lists every server, whether it can be reached, what it offers, and its problems. */
export async function listServers(
  context: CommandContext,
  options: ListServersOptions,
): Promise<number> {
  const { terminal, signal } = context
  const loaded = await loadServers(context, options)
  if (!loaded.ok) return loaded.code
  const { configuration, servers, waiting } = loaded
  if (servers.length + waiting.length === 0 && options.output !== 'json') {
    terminal.note(terminal.sanitize(`${configuration.file} and .mcp.json name no servers.`))
    return EXIT.ok
  }
  const opened = await openServers(servers, {
    root: configuration.root,
    environment: { ...process.env },
    hooks: () => ({}),
    signal,
  })
  const listed = [...opened.map(describeServer), ...waiting.map(describeWaiting)]
  await Promise.all(opened.map(async (one) => (one.ok ? await one.server.close() : undefined)))
  if (options.output === 'json') terminal.printJson(listed)
  else
    terminal.print(
      joinTerminal(
        listed.map((one) => toLines(one, terminal)),
        '\n\n',
      ),
    )
  if (signal.aborted) return EXIT.cancelled
  if (listed.some(({ state }) => state === 'failed')) return EXIT.failed
  return listed.some(({ state }) => state === 'waiting') ? EXIT.denied : EXIT.ok
}

function describeServer(opened: OpenedServer): ListedServer {
  const { name, file } = opened.written
  if (opened.ok) {
    const { server } = opened
    const { protocolVersion, info, problems } = server
    return {
      name,
      file,
      state: 'connected',
      protocolVersion,
      ...(info && { info: { name: info.name, version: info.version } }),
      tools: server.tools().map((tool) => server.nameOnServer(tool.name) ?? tool.name),
      problems: problems.map(({ path, message }) =>
        path === '' ? message : `${path}: ${message}`,
      ),
    }
  }
  const none = { name, file, tools: [] }
  switch (opened.reason) {
    case 'aborted':
      return {
        ...none,
        state: 'failed',
        problems: ['the command was ended before the server answered'],
      }
    case 'login':
      return { ...none, state: 'failed', problems: ['nobody is logged in'] }
    case 'failed':
      return {
        ...none,
        state: 'failed',
        problems: [opened.message],
        ...(opened.fix !== undefined && { fix: opened.fix }),
      }
  }
}

function describeWaiting({ name, file }: WrittenServer): ListedServer {
  return {
    name,
    file,
    state: 'waiting',
    tools: [],
    problems: ['it was not started or connected, because you have not agreed to it'],
    fix: 'run "toolblocks trust", or use --trust for one run',
  }
}

function toLines(server: ListedServer, { style, sanitize }: Terminal): TerminalText {
  const { name, state, protocolVersion, info, tools, problems, fix } = server
  const spoken = protocolVersion === undefined ? [] : [`MCP ${protocolVersion}`]
  const serverInfo = info === undefined ? [] : [`${info.name} ${info.version}`]
  const lines = [
    joinTerminal(
      [style.bold(name), style.dim([state, ...spoken, ...serverInfo].join(' · '))],
      '  ',
    ),
    ...(state === 'connected' ? [sanitize(`tools: ${tools.join(', ') || 'none'}`)] : []),
    ...problems.map((problem) => joinTerminal([style.yellow('problem:'), sanitize(problem)], ' ')),
    ...(fix === undefined ? [] : [joinTerminal([style.cyan('fix:'), sanitize(fix)], ' ')]),
  ]
  return joinTerminal(lines, '\n  ')
}
