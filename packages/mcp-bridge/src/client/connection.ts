import type { JsonObject, ToolDefinition } from '@toolblocks/protocol'
import type { Loss, Reply } from '../wire/peer.ts'
import type { RunningCall } from './running-calls.ts'
import type { ServerInfo } from './mcp-server.ts'

/** A connection that has said hello. It ends once and does not come back. */
export interface Connection extends SpokenEra {
  readonly capabilities: JsonObject
  readonly info?: ServerInfo
  readonly instructions?: string
  /** Settles when the connection is no more, with the reason. */
  readonly ended: Promise<Loss>
  close(): Promise<void>
}

/** What an era does in its own way during a call. */
export interface SpokenEra {
  readonly era: 'legacy' | 'modern'
  readonly protocolVersion: string
  /** Never rejects, and has no deadline of its own. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<Reply>
  /** `tools/call`, with what the era wants beside the parameters. */
  call(params: JsonObject, definition: ToolDefinition, running: RunningCall): Promise<Reply>
  /** What a task came to where that has to be asked for; absent: it stands in the task. */
  readonly endOfTask?: (
    task: { id: string; status: string },
    signal: AbortSignal,
  ) => Promise<Reply | undefined>
  /** What a person has to do before the call is made again, where an error can say so; absent: only results can. */
  readonly settleError?: (
    error: { code: number; data?: unknown },
    running: RunningCall,
  ) => Promise<'settled' | 'decline' | 'cancel' | 'not-understood'>
}

/** Opens a connection; rejects with a `McpServerError`. */
export type OpenConnection = (signal: AbortSignal) => Promise<Connection>
