import type { JsonObject, Problem, Tool, ToolContext, ToolResult } from '@toolblocks/protocol'
import type { WireMessage } from '../wire/peer.ts'
import type { BridgeProblem } from './bridge-problem.ts'

/** Where the connection to a server stands. */
export type ServerState =
  | { readonly kind: 'connected' }
  /**
   * The connection was lost: `reason` says why, in a sentence, and `said` what the server said of it, which is untrusted. The next call opens it
   * again, not before `retryAt` (milliseconds since 1970).
   */
  | {
      readonly kind: 'lost'
      readonly reason: string
      readonly said?: string
      readonly retryAt: number
    }
  | { readonly kind: 'closed' }

/** What a server says it is: claims, for people. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  readonly title?: string
}

/** A connected server. It stays usable when its connection is lost: the next call opens it again. */
export interface McpServer {
  /** As configured. */
  readonly name: string
  /** `modern`: it speaks MCP 2026-07-28, which has no sessions; `legacy`: an earlier version. */
  readonly era: 'legacy' | 'modern'
  /** The version of MCP that both sides speak, such as `2025-11-25`. */
  readonly protocolVersion: string
  readonly info?: ServerInfo
  /** How the server wants to be used, in its own words: untrusted. */
  readonly instructions?: string
  readonly state: ServerState
  /** Lines on its standard output that were no messages. */
  readonly nonProtocolLines: number
  /** What was wrong with its list of tools and with the overrides. Paths are relative to the list, or to `tools` of the configuration. */
  readonly problems: readonly (BridgeProblem | Problem)[]
  /** Its tools as they are known now, named `server__tool`. A tool of an older list goes on working. */
  tools(): readonly Tool[]
  /** The server's own name of a tool, by the name that `tools` has. */
  nameOnServer(name: string): string | undefined
  /** Whether a result of this server had a link to that uri. */
  hasLinked(uri: string): boolean
  /** Reads a resource; whatever fails is a result with `isError`. */
  readResource(uri: string, context: ReadResourceContext): Promise<ToolResult>
  /** Ends the connection, and the program where there is one. Calls that run are failures. */
  close(): Promise<void>
}

/** What reading a resource needs of a call's context. */
export type ReadResourceContext = Pick<ToolContext, 'signal'>

/** Something a server asks of its host, for which no tool call is needed. */
export type AnswerServerRequest = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>

/** What a host gives and gets; all of it is optional and off by default. */
export interface ServerHooks {
  /** A person can be asked during calls, through `ToolContext.ask`: elicitation is declared. Default: false. */
  readonly canAsk?: boolean
  /** The list of tools changed on the server, and was read again. */
  readonly onToolsChanged?: (server: McpServer) => void
  /** The connection was opened, lost or closed. */
  readonly onStateChange?: (state: ServerState) => void
  /** Every message as it went over the wire, for a person who looks into a problem. May contain secrets. */
  readonly onMessage?: (message: WireMessage) => void
  /** Log messages of the server; absent: not declared. */
  readonly onLog?: (params: JsonObject) => void
  /** Answers `roots/list` with `{roots}`; absent: not declared. */
  readonly listRoots?: AnswerServerRequest
  /** Answers `sampling/createMessage`: a model is used on the server's behalf; absent: not declared. */
  readonly createMessage?: AnswerServerRequest
}
