import { hash } from 'node:crypto'
import type { ConnectOptions, McpServer, ServerHooks } from '@toolblocks/mcp-bridge'
import { createQueue } from '@toolblocks/protocol/internal'
import { joinTerminal } from '@toolblocks/renderer'
import type { ToolEntry, ToolPolicy } from '@toolblocks/tool-executor'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { PersonLogins } from '../../workspace/servers/person-login.ts'
import { refuse } from '../../terminal/refuse.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import { dataFile } from '../../workspace/files/own-folders.ts'
import {
  openServerTools,
  type OpenedServerTools,
  type Sharing,
} from '../../workspace/servers/open-server-tools.ts'
import type { ClientTools } from '../../workspace/open-tools.ts'
import type { WrittenServer } from '../../workspace/servers/written-servers.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { type OpenedPins, openPins, showChange } from '../../workspace/consent/pins.ts'
import { resolveWords } from '../../workspace/servers/command-words.ts'
import { readShapes, type TypedShapes } from './read-shapes.ts'
import { readPolicies, readTypedServers } from './read-typed-servers.ts'
import type { TypedServerOptions } from './serve-options.ts'

/** The tools of servers that a person named, which counts as the decision to start or reach them. */
export type OpenedTypedServers =
  | {
      ok: true
      entries: readonly ToolEntry[]
      /** Those that are connected now. */
      servers: readonly McpServer[]
      /** The names of all servers. */
      names: readonly string[]
      starting: OpenedServerTools['starting']
      /** What stored rules are for: these servers. */
      identity: string
      /** Returns the current tools, without those whose definition has changed. */
      renew(): Promise<readonly ToolEntry[]>
      /** Connects the servers again, for one client alone. */
      openClient(options: ConnectionOptions): Promise<ClientTools>
      /** As `OpenedServerTools` has it. */
      rest(): Promise<void>
      close(): Promise<void>
    }
  | { ok: false; code: number }

/** The hooks of connections, and what is called about them. */
export interface ConnectionOptions {
  hooks: (server: string) => ServerHooks
  onChange: () => void
  admit?: ConnectOptions['admit']
  /** Milliseconds that are waited for servers; later ones are added. Default: until each has connected or failed. */
  patienceMs?: number
  sharing?: Sharing
  /** As `OpenOptions` has it. Servers that were typed have the logins of this user. */
  people?: PersonLogins
}

/** Connects the servers. Definitions of tools are recorded at the first start; a tool with another definition later is not offered until it is accepted. */
export async function openTypedServers(
  context: CommandContext,
  { server: typed = [], pin = true, accept = false, policy = [], ...options }: TypedServerOptions,
  connections: ConnectionOptions,
): Promise<OpenedTypedServers> {
  const { terminal, folder, signal, command, telemetry } = context
  const read = readTypedServers(typed, folder, { pin, ...options })
  if (!read.ok) return { ok: false, code: refuse(terminal, [read.message]) }
  const policies = readPolicies(policy)
  if (!policies.ok) return { ok: false, code: refuse(terminal, [policies.message]) }
  const readShape = readShapes(
    options,
    read.servers.map(({ name }) => name),
  )
  if (!readShape.ok) return { ok: false, code: refuse(terminal, [readShape.message]) }
  const { shapes } = readShape
  const chosen = new Map(
    [...policies.policies].map(([name, each]) => [shapes.names.get(name) ?? name, each]),
  )
  const key = hash('sha256', JSON.stringify(read.servers.map((each) => identify(each, folder))))
  const unshaped = unconfigured(folder)
  const configuration = {
    ...unshaped,
    mcp: { ...unshaped.mcp, tools: shapes.tables },
    // The record of the definitions is beside it.
    file: dataFile(join('served', key.slice(0, 32), 'servers.toml')),
  }
  mkdirSync(dirname(configuration.file), { recursive: true })
  const open = async (own: ConnectionOptions): Promise<OpenedServerTools> =>
    await openServerTools(read.servers, { configuration, signal, telemetry, ...own })
  const opened = await open(connections)
  const { servers: failed, tools: unfit } = describeFailures(opened, shapes)
  const areStarting = opened.starting.names().length > 0
  // A server that fails, fails alone. Only the entry of a host is made for all servers, or not at all.
  const canServe =
    connections.patienceMs !== undefined && (areStarting || opened.servers.length > 0)
  if (failed.length > 0 && !canServe) {
    await opened.close()
    return { ok: false, code: signal.aborted ? EXIT.cancelled : refuse(terminal, failed) }
  }
  const unknown = areStarting ? undefined : findUnknownPolicy(chosen, opened)
  const wrong = [
    ...unfit,
    ...findTakenNames(shapes, opened),
    ...(unknown === undefined ? [] : [unknown]),
  ]
  if (wrong.length > 0 && !areStarting && failed.length === 0) {
    await opened.close()
    return { ok: false, code: refuse(terminal, wrong) }
  }
  const reported = new Set<string>()
  const reportOnce = (kind: 'error' | 'warning', message: string): void => {
    if (!reported.has(message)) terminal.report(kind, message)
    reported.add(message)
  }
  // The tool may be one of the server that failed.
  if (unknown !== undefined) reportOnce('warning', unknown)
  if (areStarting)
    void opened.starting.wait().then(
      async () => {
        const late = signal.aborted ? undefined : findUnknownPolicy(chosen, await opened.now())
        if (late !== undefined) reportOnce('warning', late)
      },
      () => undefined,
    )
  const select = async (
    current: OpenedServerTools | Awaited<ReturnType<OpenedServerTools['now']>>,
  ): Promise<readonly ToolEntry[]> => {
    const failures = describeFailures(current, shapes)
    if (!signal.aborted)
      for (const failure of [...failures.servers, ...failures.tools]) reportOnce('error', failure)
    const pins = await openPins(configuration, current.tools, {
      // The record belongs to these servers. A tool that they do not offer now is compared with its pin when they offer it again.
      readConfigured: async () => () => true,
      wait: waitAtTerminal(context),
    })
    if (accept) {
      const unrecorded = await pins.record(pins.changes.map(({ tool }) => tool))
      if (unrecorded !== undefined) reportOnce('warning', unrecorded)
    } else reportChanges(terminal, pins, { command, reported })
    const tools = accept ? current.tools : pins.tools
    return tools.map((entry) => {
      const own = chosen.get(entry.tool.name)
      return own === undefined ? entry : { ...entry, policy: own }
    })
  }
  /** Selects from the tools that were opened, and closes their connections if it fails. `renew` does not end after a later one, whose tools are newer. */
  const offer = async (
    from: OpenedServerTools,
  ): Promise<Pick<ClientTools, 'entries'> & { renew(): Promise<readonly ToolEntry[]> }> => {
    const inTurn = createQueue()
    try {
      return {
        entries: await select(from),
        renew: async () => await inTurn(async () => await select(await from.now())),
      }
    } catch (error) {
      await from.close()
      throw error
    }
  }
  return {
    ok: true,
    ...(await offer(opened)),
    servers: opened.servers,
    names: read.servers.map(({ name }) => name),
    identity: nameServers(read.servers, folder),
    starting: opened.starting,
    openClient: async (own) => {
      const connected = await open(own)
      return { ...connected, ...(await offer(connected)) }
    },
    rest: opened.rest,
    close: opened.close,
  }
}

/** Describes why servers could not be started or reached, and why options do not fit their tools. */
function describeFailures(
  { left }: Pick<OpenedServerTools, 'left'>,
  shapes: TypedShapes,
): { servers: readonly string[]; tools: readonly string[] } {
  const ofTools = left.filter(({ path }) => path[0] === 'tools')
  return {
    servers: left
      .filter((each) => !ofTools.includes(each))
      .map(({ path, message }) => `--server ${path.at(-1)}: ${message}`),
    tools: ofTools.map(shapes.describe),
  }
}

/** Finds new names that other tools of the servers have. */
function findTakenNames(
  { names }: TypedShapes,
  { servers }: Pick<OpenedServerTools, 'servers'>,
): readonly string[] {
  const known = servers.flatMap((server) => server.tools().map(({ name }) => name))
  return [...names]
    .filter(([typed, name]) => name !== typed && known.includes(name) && !names.has(name))
    .map(([typed, name]) => `--rename ${JSON.stringify(typed)}: a tool is named ${name} already`)
}

/**
 * What the record of a server's definitions belongs to: the server, started from any folder, and the folder if files of the folder are part of its
 * command.
 */
function identify(
  { name, table }: Pick<WrittenServer, 'name' | 'table'>,
  folder: string,
): readonly unknown[] {
  const { command, args = [], ...rest } = table
  if (command === undefined) return [name, table]
  const commandLine = resolveWords(
    [command, ...(Array.isArray(args) ? args : [])].map(String),
    folder,
  )
  const isOfFolder = commandLine.some(
    (word) => !isAbsolute(word) && existsSync(resolve(folder, word)),
  )
  return [name, { ...rest, words: commandLine }, ...(isOfFolder ? [folder] : [])]
}

/** Names servers by what is started or reached. Headers, variables and limits have no influence. */
function nameServers(servers: readonly WrittenServer[], folder: string): string {
  const started = servers.map(({ name, table: { url, command, args } }) =>
    identify(
      {
        name,
        table: {
          ...(url !== undefined && { url }),
          ...(command !== undefined && { command }),
          ...(args !== undefined && { args }),
        },
      },
      folder,
    ),
  )
  const names = servers.map(({ name }) => name).join(', ')
  return `servers ${names} (${hash('sha256', JSON.stringify(started)).slice(0, 32)})`
}

/** Shows which definitions have changed, and where. */
function reportChanges(
  terminal: CommandContext['terminal'],
  { changes, warnings }: OpenedPins,
  { command, reported }: { command: string; reported: Set<string> },
): void {
  const isNew = (text: string): boolean => !reported.has(text) && reported.add(text).has(text)
  for (const warning of warnings.filter(isNew)) terminal.report('warning', warning)
  // Once for all clients.
  for (const change of changes.filter((each) => each.isPinned && isNew(JSON.stringify(each)))) {
    terminal.report(
      'warning',
      `${change.tool}: its definition differs from the one that was recorded, so it is not offered. "${command} serve … --accept" accepts the definitions of all tools`,
    )
    terminal.note(joinTerminal([showChange(change, terminal)], ''))
  }
}

function findUnknownPolicy(
  policies: ReadonlyMap<string, ToolPolicy>,
  { tools }: Pick<OpenedServerTools, 'tools'>,
): string | undefined {
  const names = tools.map(({ tool }) => tool.name)
  const unknown = [...policies.keys()].find((name) => !names.includes(name))
  return unknown === undefined
    ? undefined
    : `--policy: the servers have no tool ${JSON.stringify(unknown)}${formatSuggestions(unknown, names, 'they have')}`
}
