import type { ToolOverrides } from '@toolblocks/protocol'

/** How a server is reached. */
export type ServerTransport =
  /** A program that speaks on its standard streams; started without a shell. */
  | {
      readonly kind: 'stdio'
      /** Looked up in `PATH`, never in `cwd`, unless it is a path, such as `./server`. */
      readonly command: string
      /** Default: none. */
      readonly args?: readonly string[]
      /** Beside the few variables of the host that every program gets, as the `startProgram` of the host has them. */
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

/** When links are read without being asked for. */
export interface LinkPolicy {
  /** `lazy`: never, `read_resource` reads them. `inline`: the content stands in place of the link. `preview`: its beginning does. Default: `lazy`. */
  readonly mode?: 'lazy' | 'preview' | 'inline'
  /** Links of one result that are read. Default: 8. */
  readonly maxLinks?: number
  /** Bytes of one link; 2 KiB of it with `preview`. Default: 256 KiB. */
  readonly maxBytes?: number
  /** Bytes of all links of one result. Default: 1 MiB. */
  readonly maxTotalBytes?: number
}

/** What the user says about one tool of a server: words of their own, and how it is called. */
export interface ServerToolConfig extends ToolOverrides {
  /** Active time of one call in milliseconds. Default: the server's; of a call that stays alive: none. */
  readonly timeoutMs?: number
  /** Its calls may stay alive (`Tool.spawn`): a task where the server makes one of it. Default: false. */
  readonly stateful?: boolean
}

/** A server as the user configured it. */
export interface ServerConfig {
  /** The user's name for it: begins the names of its tools, and is what a person is shown when it asks something. */
  readonly name: string
  readonly transport: ServerTransport
  /** Which generation of MCP is spoken: up to 2025-11-25 is `legacy`, 2026-07-28 is `modern`. Default: `legacy`. */
  readonly era?: 'auto' | 'legacy' | 'modern'
  /** What the user says about its tools, by the server's names. */
  readonly tools?: Readonly<Record<string, ServerToolConfig>>
  /** Active time of one call in milliseconds; it stands still while a person is asked. Default: 120,000. */
  readonly timeoutMs?: number
  /** For starting it and for its list of tools, in milliseconds. Default: 30,000. */
  readonly connectTimeoutMs?: number
  /** Calls of tools that call themselves read-only or idempotent are repeated after a lost connection. Default: false. */
  readonly trusted?: boolean
  readonly links?: LinkPolicy
}
