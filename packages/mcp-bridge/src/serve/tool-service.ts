import {
  type CallContext,
  createFailure,
  type JsonObject,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { MAX_SERVED_CALLS } from '@toolblocks/protocol/limits'
import type { ServedClient, ServedFeatures } from './served-features.ts'

/** Runs a call of a client; `ExecuteCall` is one. */
export type ServeCall = (
  call: ToolCall,
  context: CallContext,
  client: ServedClient,
) => Promise<ToolResult>

/** Tools as an MCP server offers them. */
export interface ToolService {
  /** The name of the server. */
  readonly name: string
  readonly version: string
  /** Instructions for the client's model. */
  readonly instructions?: string
  /** Returns the tools that are offered now. */
  definitions(): readonly ToolDefinition[]
  /** Runs a call. Questions go to the client's user, if the client supports it. `client` is the one that calls. */
  readonly callTool: ServeCall
  /** Absolute path of the workspace. */
  readonly root: string
  /** Reads a link of an earlier result; absent: resources are not declared. */
  readonly readResource?: (uri: string, signal: AbortSignal) => Promise<ToolResult>
  /** What is offered besides tools; absent: nothing, except links if there is `readResource`. */
  readonly features?: ServedFeatures
  /** Further data of the server for its clients, such as `title`, `icons` and `websiteUrl`. */
  readonly info?: JsonObject
  /** Registers a listener that is called when `definitions` changes; returns a function that removes it. */
  readonly onDefinitionsChanged?: (changed: () => void) => () => void
}

/** A running service. */
export interface RunningService {
  /** Settles when the service has ended, for any reason. */
  readonly closed: Promise<void>
  /** Refuses new calls, gives running ones `graceMs` (default 5000) to end, then cancels them. */
  close(options?: { graceMs?: number }): Promise<void>
}

const GRACE_MS = 5000

/** A service with a maximum number of calls at a time. */
export interface BoundService extends ToolService {
  /** Settles when no call runs any more, or after `graceMs`. */
  idle(options?: { graceMs?: number }): Promise<void>
}

/**
 * Returns the same service with a maximum number of calls and reads at a time, of all its clients together, including waiting ones. A further call
 * fails at once with a result that says why: a queue would take as much memory.
 */
export function boundService(service: ToolService, most: number = MAX_SERVED_CALLS): BoundService {
  const running = new Set<Promise<ToolResult>>()

  async function within(work: () => Promise<ToolResult>): Promise<ToolResult> {
    if (running.size >= most) return createFailure(tooMany(most))
    const result = work()
    running.add(result)
    try {
      return await result
    } finally {
      running.delete(result)
    }
  }

  const { callTool, readResource } = service
  return {
    ...service,
    callTool: async (...call) => await within(async () => await callTool(...call)),
    ...(readResource && {
      readResource: async (uri, signal) =>
        await within(async () => await readResource(uri, signal)),
    }),
    idle: async ({ graceMs = GRACE_MS } = {}) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))
      await Promise.race([Promise.allSettled(running), late])
      clearTimeout(timer)
      // The last result is still being written.
      await new Promise(setImmediate)
    },
  }
}

function tooMany(most: number): string {
  return `This server runs ${most} calls at a time, and all are in use. The call was not run; make it again when another one has ended.`
}
