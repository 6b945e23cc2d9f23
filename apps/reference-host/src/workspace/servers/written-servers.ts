import { getErrorText } from '@toolblocks/protocol/internal'
import { type ServerConfig } from '@toolblocks/mcp-bridge'
import { findVariables, getServerPart } from '@toolblocks/mcp-bridge/internal/names'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration, ConfigurationProblem } from '../configuration/configuration.ts'
import type { ServerConfiguration } from '../configuration/server-schema.ts'
import { checkOwner } from '../configuration/load-configuration.ts'
import { MAX_FILE_BYTES, readRegularFile } from '../files/read-regular-file.ts'

/** The name of the file in which MCP hosts store servers. */
const MCP_FILE = '.mcp.json'

/** A server as written: variables are not replaced yet. */
export interface WrittenServer {
  name: string
  /** In the format of `mcpServers`. */
  table: JsonObject
  /** Keys that only `toolblocks.toml` has. */
  own: Pick<ServerConfiguration, 'run' | 'pin' | 'defer' | 'share' | 'oauth' | 'login' | 'required'>
  /** `own`: its tools keep the names that the server gives them. Default: its name stands before them. */
  toolNames?: 'own'
  /** Call settings of tools that have a table, by the server's names. */
  tools: NonNullable<ServerConfig['tools']>
  /** Tools whose tables the user has not agreed to, by the server's names. They are not offered. */
  waiting: readonly string[]
  /** The path of the file with this server, or `TYPED_SERVERS`. */
  file: string
}

/** In the place of a file: the servers of `serve --server`. */
export const TYPED_SERVERS = 'serve'

/** The servers that a configuration may use, and problems of the `.mcp.json` beside it. */
interface WrittenServers {
  servers: readonly WrittenServer[]
  warnings: readonly ConfigurationProblem[]
}

/** Reads the servers of a configuration and of the `.mcp.json` beside it. A table of the configuration replaces a server with the same name. */
export async function readWrittenServers(configuration: Configuration): Promise<WrittenServers> {
  const { file, root, mcp } = configuration
  const own = Object.entries(mcp.servers).map(([name, table]): WrittenServer => {
    const {
      run,
      pin,
      defer,
      share,
      required,
      oauth,
      login,
      timeout_secs: timeout,
      connect_timeout_secs: connect,
      ...rest
    } = table
    return {
      name,
      file,
      own: {
        ...(run && { run }),
        ...(pin !== undefined && { pin }),
        ...(defer !== undefined && { defer }),
        ...(share !== undefined && { share }),
        ...(required !== undefined && { required }),
        ...(oauth && { oauth }),
        ...(login && { login }),
      },
      tools: {},
      waiting: [],
      table: {
        ...rest,
        ...(timeout !== undefined && { timeout_ms: timeout * 1000 }),
        ...(connect !== undefined && { connect_timeout_ms: connect * 1000 }),
      },
    }
  })
  const beside = await readMcpFile(join(root, MCP_FILE))
  const more = beside.servers.filter(({ name }) => !Object.hasOwn(mcp.servers, name))
  const servers = [...own, ...more]
    .filter(({ table }) => table['disabled'] !== true)
    .map((server) => ({ ...server, tools: getTools(server.name, mcp.tools) }))
  return { servers, warnings: beside.warnings }
}

function getTools(server: string, tables: Configuration['mcp']['tools']): WrittenServer['tools'] {
  return Object.fromEntries(
    Object.values(tables)
      .filter((table) => table.server === server)
      .filter((table) => table.stateful ?? table.timeout_secs !== undefined)
      .map(({ tool, stateful, timeout_secs: timeout }) => [
        tool,
        {
          ...(stateful && { stateful }),
          ...(timeout !== undefined && { timeoutMs: timeout * 1000 }),
        },
      ]),
  )
}

async function readMcpFile(file: string): Promise<WrittenServers> {
  if (!existsSync(file)) return { servers: [], warnings: [] }
  const foreign = await checkOwner(file)
  if (foreign.length > 0) return { servers: [], warnings: foreign }
  const read = readJson(file)
  if (typeof read === 'string') return ignoreFile(file, read)
  const listed = isJsonObject(read.value) ? read.value['mcpServers'] : undefined
  if (!isJsonObject(listed))
    return ignoreFile(file, 'expected {"mcpServers": {…}} with a server under each name')
  const servers: WrittenServer[] = []
  const warnings: ConfigurationProblem[] = []
  for (const [name, table] of Object.entries(listed)) {
    if (isJsonObject(table)) servers.push({ name, file, table, own: {}, tools: {}, waiting: [] })
    else
      warnings.push({
        file,
        key: `mcpServers.${name}`,
        message: 'expected an object with "command" or "url"; it was ignored',
      })
  }
  return { servers, warnings }
}

function ignoreFile(file: string, message: string): WrittenServers {
  return {
    servers: [],
    warnings: [{ file, key: '', message: `${message}; the file is ignored` }],
  }
}

function readJson(file: string): { value: unknown } | string {
  try {
    return { value: JSON.parse(readRegularFile(file, MAX_FILE_BYTES)) }
  } catch (error) {
    return getErrorText(error)
  }
}

/** Returns the names of the variables whose values a server gets: in its command, its environment, its address, its headers or its login. */
export function findServerVariables({ table, own: { oauth } }: WrittenServer): readonly string[] {
  const { command, args, cwd, url, env, headers } = table
  const groups = [env, headers].map((each) => (isJsonObject(each) ? Object.values(each) : []))
  const texts = [command, cwd, url, ...(Array.isArray(args) ? args : []), ...groups.flat()]
  const all = [...texts, oauth?.client_id, oauth?.client_secret]
  return [...new Set(all.flatMap((text) => (typeof text === 'string' ? findVariables(text) : [])))]
}

/** Returns the servers of some tools, or all servers if no tools are given. */
export function selectServers(
  servers: readonly WrittenServer[],
  { tools, mcp }: Pick<Configuration, 'tools' | 'mcp'>,
  only: readonly string[] | undefined,
): readonly WrittenServer[] {
  if (!only) return servers
  const names = servers.map(({ name }) => name)
  const wanted = new Set<string>()
  for (const tool of only) {
    if (Object.hasOwn(tools, tool)) continue
    const table = Object.hasOwn(mcp.tools, tool) ? mcp.tools[tool] : undefined
    const server = table?.server ?? getServerPart(tool, names)
    if (server !== undefined) wanted.add(server)
  }
  return servers.filter(({ name }) => wanted.has(name))
}
