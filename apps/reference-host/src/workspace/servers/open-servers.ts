import { startProgram } from '@toolblocks/local-executor'
import { formatCommand } from '@toolblocks/local-executor/internal'
import {
  type ConnectOptions,
  type McpServer,
  McpServerError,
  type ServerConfig,
  type ServerHooks,
  connectServer,
  readServerConfigs,
} from '@toolblocks/mcp-bridge'
import type { Telemetry } from '@toolblocks/protocol'
import { splitPointer } from '@toolblocks/protocol/internal'
import { resolve } from 'node:path'
import { openLogin } from './login-of-server.ts'
import type { PersonLogin, PersonLogins } from './person-login.ts'
import { TYPED_SERVERS, type WrittenServer } from './written-servers.ts'

/** Settings for opening servers. */
export interface OpenServersOptions {
  root: string
  environment: Readonly<Record<string, string | undefined>>
  /** Returns the hooks of a server, by its configured name. */
  hooks: (server: string) => ServerHooks
  signal: AbortSignal
  /** Called before a program is started; see `ConnectOptions`. */
  admit?: ConnectOptions['admit']
  /** Whose logins servers with `login = "each"` have. Default: those of this user, as other servers. */
  people?: PersonLogins
  telemetry?: Telemetry | undefined
}

/** The connection to one server, or why it failed. */
export type OpenedServer =
  | { written: WrittenServer; ok: true; server: McpServer; login?: PersonLogin }
  | { written: WrittenServer; ok: false; reason: 'aborted' }
  /** The person has no login there. Absent `login`: it is not known who it is. */
  | { written: WrittenServer; ok: false; reason: 'login'; login?: PersonLogin }
  | { written: WrittenServer; ok: false; reason: 'failed'; message: string; fix?: string }

/** A server that has neither connected nor failed yet. */
export interface StartingServer {
  written: WrittenServer
  ok: false
  reason: 'starting'
}

/** Connects to servers that the user has agreed to, in parallel. A failure affects only its own server. */
export async function openServers(
  servers: readonly WrittenServer[],
  options: OpenServersOptions,
): Promise<readonly OpenedServer[]> {
  return await Promise.all(servers.map(async (written) => await openServer(written, options)))
}

/** Connects to one server. */
export async function openServer(
  written: WrittenServer,
  { root, environment, hooks, signal, admit, telemetry, people }: OpenServersOptions,
): Promise<OpenedServer> {
  const read = readServer(written, { root, environment })
  if (!read.ok) return { written, ok: false, reason: 'failed', message: read.message }
  const isEach = people !== undefined && written.own.login === 'each'
  const own = isEach ? people.at(written, read.config) : undefined
  const needsLogin = { written, ok: false, reason: 'login', ...(own && { login: own }) } as const
  try {
    if (isEach && !(await own?.isThere())) return needsLogin
    const login = own ?? (await openLogin(read.config, written, environment, signal))
    const isProgram = read.config.transport.kind === 'stdio'
    const options = {
      startProgram,
      signal,
      ...(login && { fetch: login.fetch }),
      ...(isProgram && admit && { admit }),
      ...(telemetry && { telemetry }),
    }
    const server = await connectServer(read.config, hooks(written.name), options)
    return { written, ok: true, server, ...(own && { login: own }) }
  } catch (error) {
    if (!(error instanceof McpServerError)) throw error
    if (signal.aborted) return { written, ok: false, reason: 'aborted' }
    if (own && !(await own.isThere())) return needsLogin
    const message = `${error.message}; ${describeStart(written)}`
    return { written, ok: false, reason: 'failed', message, fix: describeFix(error, written) }
  }
}

/** Keys of a table. A person who typed a server on the command line has written none of them. */
const KEY = /"(?:args|command|headers|protocol_version|url)"/

const FIXES_OF_TYPED: Readonly<Record<string, string>> = {
  'not-started': 'Run this command line by hand and read its output; --env gives it a variable.',
  unreachable: 'Check the address, and that the server is running.',
  unauthorized: 'Check the credentials in --header, or log in to the server.',
  'not-understood': 'Check that this is an MCP server, and which protocol versions it speaks.',
  'unsupported-version': 'Use --protocol-version with a version that the server supports.',
}

function describeFix({ code, fix }: McpServerError, { file }: WrittenServer): string {
  return file === TYPED_SERVERS && KEY.test(fix) ? (FIXES_OF_TYPED[code] ?? fix) : fix
}

/** Reads the table of one server and replaces variables by their values, or returns what is wrong with it. Programs start in the workspace. */
export function readServer(
  { name, table, tools, toolNames }: WrittenServer,
  { root, environment }: Pick<OpenServersOptions, 'root' | 'environment'>,
): { ok: true; config: ServerConfig } | { ok: false; message: string } {
  if (!Object.hasOwn(table, 'command') && !Object.hasOwn(table, 'url'))
    return { ok: false, message: 'expected "command" or "url", and its table has neither' }
  const { servers, problems } = readServerConfigs(
    { mcpServers: { [name]: table } },
    { environment },
  )
  const [read] = servers
  if (!read || problems.length > 0)
    return {
      ok: false,
      message: problems
        .map(({ path, message }) => [splitPointer(path).slice(2).join('.'), message])
        .map(([key, message]) => (key === '' ? message : `${key}: ${message}`))
        .join('; '),
    }
  const config = {
    ...read,
    ...(Object.keys(tools).length > 0 && { tools }),
    ...(toolNames && { toolNames }),
  }
  const { transport } = config
  if (transport.kind !== 'stdio') return { ok: true, config }
  const cwd = resolve(root, transport.cwd ?? '.')
  return { ok: true, config: { ...config, transport: { ...transport, cwd } } }
}

/** Describes the command or address as written, so that the values of variables stay hidden. */
function describeStart({ table }: WrittenServer): string {
  const { command, args, url } = table
  if (typeof command !== 'string') return `it was reached at ${String(url)}`
  const texts = Array.isArray(args) ? args.map(String) : []
  return `it was started as ${formatCommand([command, ...texts])}`
}
