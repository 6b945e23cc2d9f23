import { hash } from 'node:crypto'
import { formatCommand } from '@toolblocks/local-executor'
import type { ConnectOptions, McpServer, ServerHooks } from '@toolblocks/mcp-bridge'
import { joinTerminal } from '@toolblocks/renderer'
import type { ToolEntry, ToolPolicy } from '@toolblocks/tool-executor'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { split } from 'shlex'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { refuse } from '../../terminal/refuse.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { dataFile } from '../../workspace/files/own-folders.ts'
import {
  openServerTools,
  type OpenedServerTools,
} from '../../workspace/servers/open-server-tools.ts'
import type { ClientTools } from '../../workspace/open-tools.ts'
import type { WrittenServer } from '../../workspace/servers/written-servers.ts'
import { type OpenedPins, openPins, showChange } from '../../workspace/tools/pins.ts'
import { findScript, nameProgram, resolveWords } from './host-entry.ts'
import type { TypedServerOptions } from './serve-options.ts'

/** The tools of servers that a person named, which counts as agreement to start or reach them. */
export type OpenedTypedServers =
  | {
      ok: true
      entries: readonly ToolEntry[]
      /** Those that are connected now. */
      servers: readonly McpServer[]
      /** The names of all servers. */
      names: readonly string[]
      starting: OpenedServerTools['starting']
      /** Returns the current tools, without those whose definition has changed. */
      renew(): readonly ToolEntry[]
      /** Connects the servers again, for one client alone. */
      openClient(options: ConnectionOptions): Promise<ClientTools>
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
}

/** Connects the servers. Definitions of tools are recorded at the first start; a tool with another definition later is not offered until it is accepted. */
export async function openTypedServers(
  { terminal, folder, signal, command }: CommandContext,
  { server: typed = [], pin = true, accept = false, policy = [], ...options }: TypedServerOptions,
  connections: ConnectionOptions,
): Promise<OpenedTypedServers> {
  const read = readTypedServers(typed, folder, { pin, ...options })
  if (!read.ok) return { ok: false, code: refuse(terminal, [read.message]) }
  const policies = readPolicies(policy)
  if (!policies.ok) return { ok: false, code: refuse(terminal, [policies.message]) }
  const key = hash('sha256', JSON.stringify(read.servers.map((each) => identify(each, folder))))
  const configuration = {
    ...unconfigured(folder),
    // The record of the definitions is beside it.
    file: dataFile(join('served', key.slice(0, 32), 'servers.toml')),
  }
  mkdirSync(dirname(configuration.file), { recursive: true })
  const open = async (own: ConnectionOptions): Promise<OpenedServerTools> =>
    await openServerTools(read.servers, { configuration, signal, ...own })
  const opened = await open(connections)
  const failed = describeFailures(opened)
  if (failed.length > 0) {
    await opened.close()
    return { ok: false, code: signal.aborted ? EXIT.cancelled : refuse(terminal, failed) }
  }
  const areStarting = opened.starting.names().length > 0
  const unknown = areStarting ? undefined : findUnknownPolicy(policies.policies, opened)
  if (unknown !== undefined) {
    await opened.close()
    return { ok: false, code: refuse(terminal, [unknown]) }
  }
  const servers = read.servers.map(({ name }) => name)
  const reported = new Set<string>()
  const reportOnce = (kind: 'error' | 'warning', message: string): void => {
    if (!reported.has(message)) terminal.report(kind, message)
    reported.add(message)
  }
  if (areStarting)
    void opened.starting.settled.then(
      () => {
        const late = signal.aborted ? undefined : findUnknownPolicy(policies.policies, opened.now())
        if (late !== undefined) reportOnce('warning', late)
      },
      () => undefined,
    )
  const select = (
    current: OpenedServerTools | ReturnType<OpenedServerTools['now']>,
  ): readonly ToolEntry[] => {
    if (!signal.aborted)
      for (const failure of describeFailures(current)) reportOnce('error', failure)
    const pins = openPins(configuration, current.tools, { servers })
    if (accept) pins.record(pins.changes.map(({ tool }) => tool))
    else reportChanges(terminal, pins, { command, reported })
    const tools = accept ? current.tools : pins.tools
    return tools.map((entry) => {
      const chosen = policies.policies.get(entry.tool.name)
      return chosen === undefined ? entry : { ...entry, policy: chosen }
    })
  }
  return {
    ok: true,
    entries: select(opened),
    servers: opened.servers,
    names: servers,
    starting: opened.starting,
    renew: () => select(opened.now()),
    openClient: async (own) => {
      const connected = await open(own)
      return {
        ...connected,
        entries: select(connected),
        renew: async () => select(connected.now()),
      }
    },
    close: opened.close,
  }
}

/** Describes why servers could not be started or reached. */
function describeFailures({ left }: Pick<OpenedServerTools, 'left'>): readonly string[] {
  return left.map((each) => describeProblem({ ...each, file: 'serve', key: each.path.join('.') }))
}

/**
 * What the record of a server's definitions belongs to: the server, started from any folder, and the folder if files of the folder are part of its
 * command.
 */
function identify({ name, table }: WrittenServer, folder: string): readonly unknown[] {
  const { command, args = [], ...rest } = table
  if (command === undefined) return [name, table]
  const words = resolveWords([command, ...(Array.isArray(args) ? args : [])].map(String), folder)
  const isOfFolder = words.some((word) => !isAbsolute(word) && existsSync(resolve(folder, word)))
  return [name, { ...rest, words }, ...(isOfFolder ? [folder] : [])]
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

/** Reads `NAME=ADDRESS`, an address or a command line. One server keeps the names of its tools. */
function readTypedServers(
  typed: readonly string[],
  folder: string,
  { pin, protocolVersion, header = [], timeout }: Omit<TypedServerOptions, 'server'>,
): { ok: true; servers: readonly WrittenServer[] } | { ok: false; message: string } {
  const servers: WrittenServer[] = []
  const headers = readHeaders(header)
  if (!headers.ok) return headers
  for (const text of typed) {
    const { name: given, address } = splitName(text)
    const transport = readTransport(address)
    if (!transport.ok) return transport
    const name = given ?? nameServer(address, folder)
    if (servers.some((server) => server.name === name))
      return {
        ok: false,
        message: `--server: two servers are named ${JSON.stringify(name)}; write NAME=ADDRESS`,
      }
    servers.push({
      name,
      file: 'serve',
      own: { run: 'unattended', ...(pin !== undefined && { pin }) },
      ...(typed.length === 1 && { toolNames: 'own' as const }),
      tools: {},
      waiting: [],
      table: {
        ...transport.table,
        ...('url' in transport.table &&
          Object.keys(headers.headers).length > 0 && { headers: headers.headers }),
        protocol_version: protocolVersion ?? ('url' in transport.table ? 'auto' : '2025-11-25'),
        ...(timeout !== undefined && { timeout_ms: timeout * 1000 }),
      },
    })
  }
  return { ok: true, servers }
}

/** Returns the same server as an option for a command that is started in any folder. */
export function toAbsoluteServer(text: string, folder: string): string {
  const { name, address } = splitName(text)
  const { table } = readTransport(address)
  if (!table || 'url' in table) return text
  const words = [table.command, ...table.args]
  const whole = resolveWords(words, folder)
  if (whole.every((word, at) => word === words[at])) return text
  return `${name === undefined ? '' : `${name}=`}${formatCommand(whole)}`
}

function splitName(text: string): { name?: string; address: string } {
  const { name, address } = /^(?<name>[\w-]+)=(?<address>.*)$/s.exec(text)?.groups ?? {}
  return name === undefined || address === undefined ? { address: text } : { name, address }
}

function readTransport(
  address: string,
):
  | { ok: true; table: { url: string } | { command: string; args: readonly string[] } }
  | { ok: false; message: string; table?: undefined } {
  if (/^https?:\/\//.test(address)) return { ok: true, table: { url: address } }
  const expected = 'expected an address such as https://host/mcp, or a command line'
  try {
    const [command, ...args] = split(address)
    if (command !== undefined) return { ok: true, table: { command, args } }
    return { ok: false, message: `--server ${JSON.stringify(address)}: ${expected}` }
  } catch {
    const message = `--server ${JSON.stringify(address)}: a quote is not closed; ${expected}`
    return { ok: false, message }
  }
}

/** `https://mcp.example/mcp` is `mcp_example`, `npx -y @scope/server-files .` is `server_files`, `node /apps/notes/dist/index.js` is `notes`. */
function nameServer(address: string, folder: string): string {
  const url = URL.parse(address)
  if (url && /^https?:$/.test(url.protocol)) return url.hostname.replaceAll(/[^A-Za-z0-9]+/g, '_')
  const words = split(address)
  const starter = /^(?:npx|bunx|uvx|pnpm|dlx)$/
  const named = words.find((word, index) => index > 0 && !/^(?:-|dlx$|exec$|run$)/.test(word))
  return starter.test(words[0] ?? '') && named !== undefined
    ? nameProgram(named.replace(/^.*\//, '').replace(/@[^@]*$/, ''), folder).replaceAll('-', '_')
    : (nameByFolder(words, folder) ?? nameProgram(address, folder))
}

/** Names of files and folders that are the same for many servers. */
const COMMON_FILE = /^(?:__main__|app|cli|index|main|mod|run|server|start)\.\w+$/
const COMMON_FOLDERS = new Set(['bin', 'build', 'dist', 'lib', 'out', 'src'])

/** Returns a name from the folder of a script whose own name says nothing. */
function nameByFolder(words: readonly string[], folder: string): string | undefined {
  const script = findScript(words, folder)
  if (script === undefined || !COMMON_FILE.test(basename(script))) return undefined
  const parents = dirname(resolve(folder, script)).split(sep)
  const own = parents.findLast((name) => !COMMON_FOLDERS.has(name))
  return own === undefined || own === '' ? undefined : nameProgram(own, folder)
}

function readHeaders(
  given: readonly string[],
): { ok: true; headers: Readonly<Record<string, string>> } | { ok: false; message: string } {
  const headers: [string, string][] = []
  for (const text of given) {
    const { name, value } =
      /^(?<name>[!#$%&'*+.^_`|~\w-]+):\s*(?<value>.*)$/.exec(text)?.groups ?? {}
    if (name === undefined || value === undefined)
      return { ok: false, message: `--header ${JSON.stringify(text)}: expected "Name: value"` }
    headers.push([name, value])
  }
  return { ok: true, headers: Object.fromEntries(headers) }
}

const POLICIES: readonly ToolPolicy[] = ['ask', 'unattended', 'deny', 'skip']

function readPolicies(
  given: readonly string[],
): { ok: true; policies: ReadonlyMap<string, ToolPolicy> } | { ok: false; message: string } {
  const policies = new Map<string, ToolPolicy>()
  for (const text of given) {
    const at = text.lastIndexOf('=')
    const policy = POLICIES.find((each) => each === text.slice(at + 1))
    if (at < 1 || policy === undefined)
      return {
        ok: false,
        message: `--policy ${JSON.stringify(text)}: expected TOOL=POLICY, with one of ${POLICIES.join(', ')}`,
      }
    policies.set(text.slice(0, at), policy)
  }
  return { ok: true, policies }
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
