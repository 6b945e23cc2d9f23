import type { ToolDefinition } from '@toolblocks/protocol'
import { type HostEntry, makeHostEntry, nameProgram } from './host-entry.ts'
import { joinTerminal } from '@toolblocks/renderer'
import { HOST_NAMES, type HostName } from './host-names.ts'
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { RunningService } from '@toolblocks/mcp-bridge/server'
import { openRecord } from '../../workspace/conversations/record-call.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { readOwnPackage } from '../../process/own-package.ts'
import { createService, type ServiceOptions } from './create-service.ts'
import { installEntry } from './host-files.ts'
import { openPrograms } from './open-programs.ts'
import type { UnavailableTool } from '../../workspace/tools/unavailable-tool.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { reportWaitingStore } from '../../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { openTools } from '../../workspace/open-tools.ts'

/** The options of `toolblocks serve`. */
export interface ServeOptions extends SharedOptions {
  /** The port. Default: standard input and output, without HTTP. */
  http?: number
  /** The address to listen at. Default: the loopback address. */
  host?: string
  /** Further host names under which clients may connect. */
  allowHost?: readonly string[]
  /** The environment variable with the token that clients must send. Default: a new token, which is printed. */
  tokenEnv?: string
  /** Whether the client approves calls, without a question to the user. */
  trustClient?: boolean
  /** The MCP host whose file receives the entry. No server is started. */
  install?: HostName
  /** The name of the server in the host. */
  name?: string
  /** Whether `install` writes without a question. */
  yes?: boolean
}

/** `toolblocks serve`: serves the tools of the workspace, or of programs that were named, as an MCP server. */
export async function serveTools(
  given: CommandContext,
  programs: readonly string[],
  options: ServeOptions,
): Promise<number> {
  const context = { ...given, terminal: disableOutput(given.terminal) }
  const { terminal } = context
  const token = options.tokenEnv === undefined ? undefined : process.env[options.tokenEnv]
  if (options.tokenEnv !== undefined && !token)
    return refuse(terminal, [
      `--token-env ${options.tokenEnv}: this environment variable is not set`,
    ])
  if (options.tokenEnv !== undefined && options.http === undefined)
    return refuse(terminal, ['--token-env needs --http: standard input and output use no token'])
  if (options.host !== undefined && options.http === undefined)
    return refuse(terminal, [
      '--host needs --http: over standard input and output no address is used',
    ])
  if (options.install !== undefined && options.http !== undefined)
    return refuse(terminal, [
      '--install cannot be used with --http: the host starts the server itself, over standard input and output',
    ])
  const opened =
    programs.length > 0
      ? await openNamed(context, programs)
      : await openConfigured(context, options)
  if (!opened.ok) return opened.code
  const entry = makeHostEntry(
    options.name ?? nameServer(programs, opened.root),
    { ...options, programs, configuration: opened.configurationFile, folder: context.folder },
    { execPath: process.execPath, program: process.argv[1] ?? '' },
  )
  const approval: ServiceOptions['approval'] = options.trustClient ? 'client' : 'user'
  const { version } = readOwnPackage()
  const { record } = opened
  const { service, close } = createService(opened.entries, { ...opened, version, approval })
  try {
    const { install: host, yes } = options
    if (host !== undefined)
      return await installEntry(given, entry, { host, ...(yes !== undefined && { yes }) })
    if (options.http === undefined && given.terminal.isInteractive)
      reportServedTools(terminal, {
        definitions: service.definitions(),
        entry,
        command: given.command,
      })
    await serve(service, { context, options, token })
    return EXIT.ok
  } catch (error) {
    if (error instanceof Error && error.name === 'ServeError')
      return refuse(terminal, [error.message])
    throw error
  } finally {
    await close()
    await Promise.all([opened.close(), record.close()])
  }
}

async function serve(
  service: ReturnType<typeof createService>['service'],
  {
    context: { terminal, signal },
    options: { http, host, allowHost },
    token,
  }: { context: CommandContext; options: ServeOptions; token: string | undefined },
): Promise<void> {
  const { serveHttp, serveStdio } = await import('@toolblocks/mcp-bridge/server')
  const count = service.definitions().length
  const reportServing = (where: string): void =>
    terminal.note(terminal.sanitize(`Serving ${count} tool${count === 1 ? '' : 's'} ${where}`))
  const served = await start()
  const end = (): void => void served.close()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  await served.closed
  signal.removeEventListener('abort', end)
  // An open input would keep the process alive.
  if (http === undefined) process.stdin.destroy()

  async function start(): Promise<RunningService> {
    if (http === undefined) {
      const stdio = await serveStdio(service)
      reportServing('on standard input and output')
      return stdio
    }
    const listening = await serveHttp(service, {
      port: http,
      ...(host !== undefined && { host }),
      ...(allowHost && { allowedHosts: allowHost }),
      ...(token !== undefined && { token }),
    })
    reportServing(`at ${listening.url}`)
    if (token === undefined)
      terminal.note(
        terminal.sanitize(`Clients must send the header Authorization: Bearer ${listening.token}`),
      )
    return listening
  }
}

type Opened =
  | ({ ok: true; entries: Parameters<typeof createService>[0]; close(): Promise<void> } & Pick<
      ServiceOptions,
      'root' | 'servers' | 'record' | 'instructions'
    > & { configurationFile?: string })
  | { ok: false; code: number }

async function openNamed(
  { folder, signal, terminal }: CommandContext,
  programs: readonly string[],
): Promise<Opened> {
  const opened = await openPrograms(programs, {
    folder,
    signal,
    tell: (message) => terminal.report('warning', message),
  })
  if (!opened.ok) return { ok: false, code: refuse(terminal, opened.messages) }
  return {
    ok: true,
    entries: opened.entries,
    root: folder,
    servers: [],
    record: UNRECORDED,
    close: async () => {},
  }
}

async function openConfigured(context: CommandContext, options: ServeOptions): Promise<Opened> {
  const opened = await openTools(context, { ...options, canAsk: true })
  if (!opened.ok) return opened
  const { entries, readers, servers, configuration, workspace, left } = opened
  const names = new Set(entries.map(({ tool }) => tool.name))
  const warn = (message: string): void => context.terminal.report('warning', message)
  reportWaitingStore(workspace, warn)
  return {
    ok: true,
    entries: [...entries, ...readers.filter(({ tool }) => !names.has(tool.name))],
    servers,
    ...describeWaiting(left, configuration.root),
    record: await openRecord(workspace.store, randomUUID(), warn),
    root: configuration.root,
    configurationFile: configuration.file,
    close: async () => {
      await Promise.all([opened.settled(), opened.close()])
    },
  }
}

/** Describes the tools that wait for agreement, for the client's model, which can tell its user. */
function describeWaiting(
  left: readonly UnavailableTool[],
  root: string,
): Pick<ServiceOptions, 'instructions'> {
  const count = left.filter(({ reason }) => reason === 'waiting').length
  if (count === 0) return {}
  // Their names come from the folder, so no model reads them before the user agrees.
  return {
    instructions: `${count} of the tools and servers of this folder are not available, because the user has not agreed to them. To agree, the user runs "toolblocks trust" in a terminal in ${JSON.stringify(root)}, and then restarts this server.`,
  }
}

/** Programs that were named have no configuration, and so no store. */
const UNRECORDED: ServiceOptions['record'] = { record: async () => {}, close: async () => {} }

/** Returns a terminal that never writes to standard output, which belongs to the protocol, and asks no questions. */
function disableOutput(terminal: Terminal): Terminal {
  const { keyboard: _keyboard, ...rest } = terminal
  return { ...rest, print: terminal.note, isInteractive: false }
}

/** Returns the name of the server: that of the program, or that of the folder of a workspace. */
function nameServer(programs: readonly string[], root: string): string {
  const [program, ...others] = programs
  const isOne = program !== undefined && others.length === 0
  return nameProgram(isOne ? program : basename(root), root)
}

function refuse(terminal: Terminal, messages: readonly string[]): number {
  for (const message of messages) terminal.report('error', message)
  return EXIT.usage
}

/** The columns between a name and its description. */
const GAP = 2

/** Shows a person who started a server at a terminal its tools, the entry that an MCP host needs to start it, and that it waits. */
function reportServedTools(
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
