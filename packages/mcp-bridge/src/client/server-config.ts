import type { ToolOverrides } from '@toolblocks/protocol'
import { InvalidArgumentError, isPlainObject, describeValue } from '@toolblocks/protocol/internal'
import type { MessageTransport } from '../wire/transport.ts'

/** The way to reach a server. */
export type ServerTransport =
  /** A program that uses its standard streams; started without a shell. */
  | {
      readonly kind: 'stdio'
      /** Searched for in `PATH`, never in `cwd`, unless it is a path, such as `./server`. */
      readonly command: string
      /** Default: none. */
      readonly args?: readonly string[]
      /** Variables in addition to the few of the host that every program receives from the host's `startProgram`. */
      readonly env?: Readonly<Record<string, string>>
      /** Default: the host's folder. */
      readonly cwd?: string
    }
  /** A Streamable HTTP endpoint. */
  | {
      readonly kind: 'http'
      readonly url: string
      /** Sent with every request, never logged. */
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A transport of MCP's official SDKs for TypeScript (in memory, WebSocket, …), or one of your own. */
  | {
      readonly kind: 'transport'
      /**
       * The transport, which can carry one connection, or a function that creates one. Only with a function a lost connection is opened again, and
       * another protocol version tried.
       */
      readonly transport: MessageTransport | CreateTransport
    }

/** Creates a transport for one connection, which is not started yet. */
export type CreateTransport = () => MessageTransport | Promise<MessageTransport>

/** When links are read without a call of `read_resource`. */
export interface LinkPolicy {
  /**
   * `lazy`: never; a model uses `read_resource`. `inline`: the content is added after the link. `preview`: its beginning is added. Default: `lazy`.
   */
  readonly mode?: 'lazy' | 'preview' | 'inline'
  /** The maximum number of links that are read in one result. Default: 8. */
  readonly maxLinks?: number
  /** The maximum bytes of one link; 2 KiB with `preview`. Default: 256 KiB. */
  readonly maxBytes?: number
  /** The maximum bytes of all links of one result. Default: 1 MiB. */
  readonly maxTotalBytes?: number
}

/** The user's settings of one tool of a server: its texts, and how it is called. */
export interface ServerToolConfig extends ToolOverrides {
  /** Active time of one call in milliseconds. Default: that of the server; none for a call that stays alive. */
  readonly timeoutMs?: number
  /** Whether its calls may stay alive (`Tool.spawn`): as a task if the server creates one. Default: false. */
  readonly stateful?: boolean
}

/** A server as the user configured it. */
export interface ServerConfig {
  /** The user's name for it. The names of its tools begin with it, and a person sees it when the server asks something. */
  readonly name: string
  readonly transport: ServerTransport
  /**
   * The protocol version to speak. `2025-11-25` also accepts a server of an earlier version, and one that supports only 2026-07-28 and says so. `auto`
   * tries 2026-07-28 first, then 2025-11-25. Default: `2025-11-25`.
   */
  readonly protocolVersion?: 'auto' | '2025-11-25' | '2026-07-28'
  /** How its tools are named for a host. `prefixed`: `server__tool`, which is unique among servers. `own`: as the server names them. Default: `prefixed`. */
  readonly toolNames?: 'prefixed' | 'own'
  /** The user's settings of its tools, by the server's names. */
  readonly tools?: Readonly<Record<string, ServerToolConfig>>
  /** Active time of one call in milliseconds; paused while a person is asked. Default: 120,000; none for a task that somebody follows. */
  readonly timeoutMs?: number
  /** The time for the start and for the list of tools, in milliseconds. Default: 30,000. */
  readonly connectTimeoutMs?: number
  /** Whether calls are repeated after a lost connection if the tool declares itself read-only or idempotent. Default: false. */
  readonly trusted?: boolean
  readonly links?: LinkPolicy
}

/**
 * A server with the fields of an entry of `.mcp.json` (`command`, `args`, `env`, `cwd`, or `url`, `headers`) beside the others, without `transport`; or with
 * a transport of MCP's SDK as `transport`.
 */
export type ServerEntry = Omit<ServerConfig, 'transport'> &
  (
    | (Omit<Extract<ServerTransport, { kind: 'stdio' }>, 'kind'> & { readonly transport?: never })
    | (Omit<Extract<ServerTransport, { kind: 'http' }>, 'kind'> & { readonly transport?: never })
    | { readonly transport: MessageTransport | CreateTransport }
  )

/** Reads a server in either form. Throws an `InvalidArgumentError` that says what is missing. */
export function readServerConfig(server: ServerConfig | ServerEntry): ServerConfig {
  if (!isPlainObject(server) || typeof server['name'] !== 'string')
    throw wrongConfig('a server with a name', server)
  const { transport } = server
  if (isTransportOrFunction(transport))
    return { ...server, transport: { kind: 'transport', transport } }
  if (isWithTransport(server)) return server
  if ('command' in server && typeof server.command === 'string') {
    const { command, args, env, cwd, ...config } = server
    const more = { ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) }
    return { ...config, transport: { kind: 'stdio', command, ...more } }
  }
  if ('url' in server && typeof server.url === 'string') {
    const { url, headers, ...config } = server
    return { ...config, transport: { kind: 'http', url, ...(headers && { headers }) } }
  }
  throw wrongConfig('a "transport", a "command" or a "url"', server)
}

function isWithTransport(server: ServerConfig | ServerEntry): server is ServerConfig {
  const transport: unknown = server.transport
  if (transport === undefined) return false
  const kind = isPlainObject(transport) ? transport['kind'] : undefined
  if (kind === 'stdio' || kind === 'http') return true
  if (
    isPlainObject(transport) &&
    kind === 'transport' &&
    isTransportOrFunction(transport['transport'])
  )
    return true
  throw wrongConfig(
    '"transport" with kind "stdio" or "http", or a transport of MCP\'s SDK',
    transport,
  )
}

const MEMBERS = ['start', 'send', 'close']

function isTransportOrFunction(value: unknown): value is MessageTransport | CreateTransport {
  return typeof value === 'function' || isMessageTransport(value)
}

/** Whether a value is a transport. */
export function isMessageTransport(value: unknown): value is MessageTransport {
  return (
    typeof value === 'object' &&
    value !== null &&
    MEMBERS.every((name) => typeof Reflect.get(value, name) === 'function')
  )
}

function wrongConfig(expected: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(
    `connectServer(config, …): expected ${expected}, got ${describeValue(value)}; write { name, command, args } or { name, url }`,
  )
}
