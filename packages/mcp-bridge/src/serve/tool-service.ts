import type { CallTool, ToolDefinition, ToolResult } from '@toolblocks/protocol'

/** Tools as an MCP server serves them. */
export interface ToolService {
  /** What the server calls itself. */
  readonly name: string
  readonly version: string
  /** How the tools want to be used, for the client's model. */
  readonly instructions?: string
  /** The tools that are offered now. */
  definitions(): readonly ToolDefinition[]
  /** Runs a call; who is asked is the client's user, where the client can ask. */
  readonly callTool: CallTool
  /** Absolute path of the workspace. */
  readonly root: string
  /** Reads a link that a result had; absent: resources are not declared. */
  readonly readResource?: (uri: string, signal: AbortSignal) => Promise<ToolResult>
  /** Calls what it is given whenever `definitions` changes; returns what ends that. */
  readonly onDefinitionsChanged?: (changed: () => void) => () => void
}

/** A service that is being served. */
export interface Served {
  /** Settles when it is over, for whatever reason. */
  readonly closed: Promise<void>
  /** Takes no more calls, gives those that run `graceMs` (default 5000) to end, then aborts them. */
  close(options?: { graceMs?: number }): Promise<void>
}
