import type { OAuth } from '@toolblocks/mcp-bridge/oauth'
import type { Configuration } from '../../workspace/configuration/configuration.ts'
import { getLoginKey, openLogin } from '../../workspace/servers/login-of-server.ts'
import { openLogins } from '../../workspace/servers/logins/open-logins.ts'
import { readServer } from '../../workspace/servers/open-servers.ts'
import type { WrittenServer } from '../../workspace/servers/written-servers.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { formatSuggestions } from '../../terminal/did-you-mean.ts'
import { HOW_TO_AGREE } from '../../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'

/** The servers of a workspace, or the exit code if they cannot be read. The error was already reported. */
export type LoadedServers =
  | {
      ok: true
      configuration: Configuration
      /** The servers that may be started or connected. */
      servers: readonly WrittenServer[]
      /** The servers that wait for a decision. */
      waiting: readonly WrittenServer[]
    }
  | { ok: false; code: number }

/** Reads which servers are configured, and which of them may be used. */
export async function loadServers(
  context: CommandContext,
  options: SharedOptions,
): Promise<LoadedServers> {
  const opened = await openWorkspace(context, options)
  if (!opened.ok) return opened
  const { configuration, servers, written, isAgreed } = opened.workspace
  const waiting = written.servers.filter(({ name }) => !isAgreed(`server ${name}`))
  return { ok: true, configuration, servers, waiting }
}

/** One server that the user has agreed to, or the exit code. The error was already reported. */
export type LoadedServer =
  | { ok: true; configuration: Configuration; written: WrittenServer }
  | { ok: false; code: number }

/** Finds a server by its name. */
export async function loadServer(
  context: CommandContext,
  name: string,
  options: SharedOptions,
): Promise<LoadedServer> {
  const loaded = await loadServers(context, options)
  if (!loaded.ok) return loaded
  const { configuration, servers, waiting } = loaded
  const written = servers.find((each) => each.name === name)
  if (waiting.some((each) => each.name === name)) {
    const message = `the server ${JSON.stringify(name)} was not started or connected, because you have not agreed to it: ${HOW_TO_AGREE}`
    context.terminal.report('error', message)
    return { ok: false, code: EXIT.denied }
  }
  if (written) return { ok: true, configuration, written }
  const names = [...servers, ...waiting].map((each) => each.name)
  context.terminal.report(
    'error',
    `no server ${JSON.stringify(name)} is configured${formatSuggestions(name, names, 'there is')}`,
  )
  return { ok: false, code: EXIT.usage }
}

/** The login of one server, or the exit code if there can be none. The error was already reported. */
export type LoadedLogin =
  | {
      ok: true
      login: OAuth
      written: WrittenServer
      /** Describes another process that changes the login now, if there is one. */
      findHolder(): string | undefined
    }
  | { ok: false; code: number }

/** Finds the login of a server by the server's name. */
export async function loadLogin(
  context: CommandContext,
  name: string,
  options: SharedOptions,
): Promise<LoadedLogin> {
  const loaded = await loadServer(context, name, options)
  if (!loaded.ok) return loaded
  const { configuration, written } = loaded
  const environment = { ...process.env }
  const read = readServer(written, { root: configuration.root, environment })
  const login = read.ok ? await openLogin(read.config, written, environment) : undefined
  const transport = read.ok ? read.config.transport : undefined
  const key = transport?.kind === 'http' ? getLoginKey(transport.url) : undefined
  if (login && key !== undefined) {
    const logins = await openLogins()
    return { ok: true, login, written, findHolder: () => logins.findHolder(key) }
  }
  const why = read.ok ? 'it is a program, or "headers" has its credentials' : read.message
  context.terminal.report(
    'error',
    `there is no login for the server ${JSON.stringify(name)}: ${why}`,
  )
  return { ok: false, code: EXIT.usage }
}
