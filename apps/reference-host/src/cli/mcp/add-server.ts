import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { formatCommand } from '@toolblocks/local-executor/internal'
import { checkOwner } from '../../workspace/configuration/load-configuration.ts'
import { CONFIGURATION_FILE, findConfiguration } from '../../workspace/files/find-configuration.ts'
import { parseConfiguration } from '../../workspace/configuration/parse-configuration.ts'
import { describeProblem } from '../../workspace/configuration/configuration.ts'
import { formatTomlTable } from '../../workspace/configuration/format-toml.ts'
import { EXIT } from '../../process/exit-codes.ts'
import { appendTable } from '../setup/new-tool.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../../workspace/files/read-regular-file.ts'
import { writeInOneStep } from '../../workspace/files/write-file.ts'
import { waitAtTerminal } from '../../workspace/locks/wait-at-terminal.ts'
import { getFileLock, withLock } from '../../workspace/locks/with-lock.ts'
import { agreeToWritten } from '../../workspace/consent/decisions.ts'
import { readVariables } from '../options/read-variables.ts'
import type { ServerConfiguration } from '../../workspace/configuration/server-schema.ts'
import type { HostName } from '../hosts/mcp-hosts.ts'
import { type ServerTable, maskUrl, maskWords } from '../../workspace/servers/mask-server.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'

/** The options of `toolblocks mcp add`. */
export interface AddServerOptions extends SharedOptions {
  url?: string
  protocolVersion?: NonNullable<ServerConfiguration['protocol_version']>
  /** Variables that the program receives: `NAME`, or `NAME=VALUE`. */
  env?: readonly string[]
  /** The host whose server is added. */
  from?: HostName
  /** With `from`: the name in the configuration. Default: the name in the host. */
  as?: string
  /** With `from`: shows secret values. */
  show?: boolean
  /** With `from`: asks nothing. */
  yes?: boolean
  /** With `from`: copies secret values. Default: asks, and writes variables in their place without a yes. */
  copySecrets?: boolean
}

/** `toolblocks mcp add NAME COMMAND…`: adds a server to the configuration, and keeps the comments of the file. */
export async function addServer(
  context: CommandContext,
  [name, ...commandLine]: readonly [string, ...string[]],
  options: AddServerOptions,
): Promise<number> {
  const { url, env = [], protocolVersion, config } = options
  const refuse = (message: string): number => refuseServer(context, message)
  const misplaced = findMisplaced(options)
  if (misplaced !== undefined) return refuse(`--${misplaced} needs --from`)
  if (commandLine[0]?.startsWith('--'))
    return refuse(`write ${commandLine[0]} before the name of the server`)
  if ((url === undefined) === (commandLine.length === 0))
    return refuse('expected either the command of the server, or its address with --url')
  if (url !== undefined && !/^(https?:\/\/|\$\{)/.test(url))
    return refuse(
      `--url ${JSON.stringify(url)}: expected an address that begins with https:// or http://`,
    )
  if (url !== undefined && env.length > 0)
    return refuse('--env needs a command: a server over HTTP receives no variables')
  const variables = readVariables(env)
  if (!variables.ok) return refuse(variables.message)
  const [command, ...args] = commandLine
  const table = {
    ...(url !== undefined && { url }),
    ...(command !== undefined && { command }),
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: variables.env }),
  }
  return await writeServer(context, {
    name,
    decide: async () => table,
    protocolVersion,
    config,
  })
}

/** Returns the first option that has a meaning only with `--from`. */
function findMisplaced(options: AddServerOptions): string | undefined {
  const names = ['as', 'show', 'yes', 'copySecrets'] as const
  return names
    .find((name) => options[name] !== undefined)
    ?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Reports why a server was not added. */
export function refuseServer({ terminal }: CommandContext, message: string): number {
  terminal.report('error', `${message}; nothing was written`)
  return EXIT.usage
}

/** A server and the configuration to which it is added. */
interface WrittenTable {
  name: string
  /** Returns what is written, or `undefined` if a person does not agree to it. Called only if the name is not in use. */
  decide: () => Promise<ServerTable | undefined>
  protocolVersion?: AddServerOptions['protocolVersion']
  config?: string | undefined
}

/** Writes one table into the configuration. */
export async function writeServer(
  context: CommandContext,
  { name, decide, protocolVersion, config }: WrittenTable,
): Promise<number> {
  const { terminal, folder, command: own } = context
  const refuse = (message: string): number => refuseServer(context, message)
  if (name.trim() === '') return refuse('the server needs a name')
  const file =
    config === undefined
      ? (findConfiguration(folder) ?? join(folder, CONFIGURATION_FILE))
      : resolve(folder, config)
  const isThere = existsSync(file)
  const foreign = isThere
    ? await checkOwner(file, config === undefined ? folder : dirname(file))
    : []
  if (foreign.length > 0) return refuse(foreign.map(describeProblem).join('; '))
  const read = async (): Promise<{ ok: true; text: string } | { ok: false; message: string }> => {
    const text = existsSync(file) ? readRegularFile(file, MAX_FILE_BYTES) : ''
    const parsed = await parseConfiguration(text, file)
    if (!parsed.ok) return { ok: false, message: parsed.problems.map(describeProblem).join('; ') }
    return Object.hasOwn(parsed.configuration.mcp.servers, name)
      ? { ok: false, message: `${file} has a server ${JSON.stringify(name)} already` }
      : { ok: true, text }
  }
  const before = await read()
  if (!before.ok) return refuse(before.message)
  const table = await decide()
  if (table === undefined) return context.signal.aborted ? EXIT.cancelled : EXIT.denied
  const text = formatTomlTable(['mcp', 'servers', name], {
    ...table,
    ...(protocolVersion && { protocol_version: protocolVersion }),
  })
  // A program may have written the file in the meantime.
  const written = await withLock(getFileLock(file), waitAtTerminal(context), async () => {
    const current = await read()
    return current.ok ? await writeLonger(file, current.text, { name, table: text }) : current
  })
  if (!written.ok) return refuse(written.message)
  const after = await parseConfiguration(written.text, file)
  if (after.ok)
    await agreeToWritten(context, after.configuration, (part) => part === `server ${name}`)
  const what =
    maskUrl(table.url) ?? formatCommand(maskWords([table.command ?? '', ...(table.args ?? [])]))
  terminal.print(
    terminal.sanitize(
      `Added ${JSON.stringify(name)} (${what}) to ${file}. Try:\n  ${own} mcp list\n  ${own} tools`,
    ),
  )
  return EXIT.ok
}

/** Appends the table of a server to the text of a configuration, and writes it. */
async function writeLonger(
  file: string,
  text: string,
  { name, table }: { name: string; table: string },
): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
  const longer = await appendTable(text, table, ({ mcp }) => Object.hasOwn(mcp.servers, name))
  if (longer === undefined) {
    const message = `${file} cannot hold more tables of servers: write the servers as [mcp.servers.NAME]`
    return { ok: false, message }
  }
  try {
    writeInOneStep({ path: file, below: dirname(file) }, longer, {
      mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o644,
    })
    return { ok: true, text: longer }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { ok: false, message: `${file} cannot be written: ${error.message}` }
  }
}
