import type {
  JsonObject,
  Problem,
  Tool,
  ToolCall,
  ToolContext,
  ToolResult,
} from '@toolblocks/protocol'
import type { Reply, WireMessage } from '../wire/peer.ts'
import type { BridgeProblem } from './failures.ts'

/** The state of the connection to a server. */
export type ServerState =
  | { readonly kind: 'connected' }
  /**
   * The connection was lost: `reason` says why, in a sentence, and `serverText` is the server's own text, which is untrusted. The next call opens it
   * again, not before `retryAt` (milliseconds since 1970).
   */
  | {
      readonly kind: 'lost'
      readonly reason: string
      readonly serverText?: string
      readonly retryAt: number
    }
  /** It was ended with `rest`. The next use opens it again. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'closed' }

/** The server's data about itself: unverified, for people. */
export interface ServerInfo {
  readonly name: string
  readonly version: string
  readonly title?: string
  /** Further fields as the server sent them, such as `icons` and `websiteUrl`. */
  readonly [field: string]: unknown
}

/** A connected server. It stays usable when its connection is lost: the next call opens it again. */
export interface McpServer {
  /** The configured name. */
  readonly name: string
  /** The version of MCP that both sides speak, such as `2025-11-25`. */
  readonly protocolVersion: string
  readonly info?: ServerInfo
  /** What the server offers, as MCP writes it. */
  readonly capabilities: JsonObject
  /** The server's instructions for a model: untrusted. */
  readonly instructions?: string
  readonly state: ServerState
  /** The number of lines on its standard output that were not messages. */
  readonly nonProtocolLines: number
  /**
   * Problems of its list of tools and of the overrides, and lines on its standard output that were not messages (`stray-line`). Paths are relative to the
   * list, or to `tools` of the configuration.
   */
  readonly problems: readonly (BridgeProblem | Problem)[]
  /** Returns the current tools, named `server__tool`. A tool of an older list still works. */
  tools(): readonly Tool[]
  /** Returns the server's own name of a tool, by its name in `tools`. */
  nameOnServer(name: string): string | undefined
  /** Whether a result of this server had a link to that uri. */
  hasLinked(uri: string): boolean
  /** Reads a resource. Every failure is a result with `isError`. */
  readResource(uri: string, context: ReadResourceContext): Promise<ToolResult>
  /**
   * Sends a request of any method and returns its end; a result is unchanged. It opens a lost connection again. Never rejects, and has no timeout
   * of its own.
   */
  request(method: string, params: JsonObject, context: ReadResourceContext): Promise<Reply>
  /** Sends a notification. It is lost without a connection. */
  notify(method: string, params: JsonObject): void
  /** Ends the connection, and the program if there is one, until the next use. Has no effect while a call runs. */
  rest(): Promise<void>
  /** Ends the connection, and the program if there is one. Running calls fail. */
  close(): Promise<void>
}

/** The part of a call's context that reading a resource needs. */
type ReadResourceContext = Pick<ToolContext, 'signal'>

/** Answers a request of a server to its host. `call`: the call that it belongs to, if that is known. */
export type AnswerServerRequest = (
  params: JsonObject,
  signal: AbortSignal,
  call?: ToolCall,
) => Promise<JsonObject>

/** Listeners and capabilities of a host; all are optional and off by default. */
export interface ServerHooks {
  /** Whether a person can be asked during calls, through `ToolContext.ask`: elicitation is declared. Default: false. */
  readonly canAsk?: boolean
  /**
   * Whether the accepted answer to a form is sent without the defaults of fields that it leaves out: a client has shown them to its person, who may
   * have removed them. Default: false.
   */
  readonly areDefaultsShown?: boolean
  /** Called when the server's list of tools has changed and was read again. */
  readonly onToolsChanged?: (server: McpServer) => void
  /** Called when the connection was opened, lost or closed. */
  readonly onStateChange?: (state: ServerState) => void
  /** Receives every message unchanged, for diagnosis. Messages may contain secrets. */
  readonly onMessage?: (message: WireMessage) => void
  /** Receives log messages of the server; absent: not declared. */
  readonly onLog?: (params: JsonObject) => void
  /** Answers `roots/list` with `{roots}`; absent: not declared. */
  readonly listRoots?: AnswerServerRequest
  /** Answers `sampling/createMessage`: a model runs on the server's behalf; absent: not declared. */
  readonly createMessage?: AnswerServerRequest
  /** Receives every notification of the server, unchanged. */
  readonly onNotification?: (method: string, params: JsonObject) => void
  /** Returns the level of log messages that requests of MCP 2026-07-28 ask for. Default: none is asked for. */
  readonly logLevel?: () => string | undefined
  /**
   * Called when the server works on a call as a task: its result will take long. Returns whether somebody follows the task, who can end it: then the
   * call has no time limit, unless one is configured.
   */
  readonly onTask?: (call: ToolCall) => boolean
  /** Further capabilities that are declared, such as `extensions`, and what `elicitation`, `sampling` and `roots` contain. */
  readonly capabilities?: JsonObject
  /**
   * Whether several clients use the connection. Then a server that sends requests, up to MCP 2025-11-25, learns that nobody can be asked, because it
   * does not say whose request it is; one of MCP 2026-07-28 asks in the results of calls. Default: false.
   */
  readonly isShared?: boolean
}
