import {
  type ExecuteCall,
  createFailure,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { MAX_SERVED_CALLS } from '@toolblocks/protocol/limits'

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
  readonly callTool: ExecuteCall
  /** Absolute path of the workspace. */
  readonly root: string
  /** Reads a link that a result had; absent: resources are not declared. */
  readonly readResource?: (uri: string, signal: AbortSignal) => Promise<ToolResult>
  /** Calls what it is given whenever `definitions` changes; returns what ends that. */
  readonly onDefinitionsChanged?: (changed: () => void) => () => void
}

/** A service that is being served. */
export interface RunningService {
  /** Settles when it is over, for whatever reason. */
  readonly closed: Promise<void>
  /** Takes no more calls, gives those that run `graceMs` (default 5000) to end, then aborts them. */
  close(options?: { graceMs?: number }): Promise<void>
}

const GRACE_MS = 5000

/** A service that runs only so many calls at a time. */
export interface BoundService extends ToolService {
  /** Settles when nothing runs any more, or after `graceMs`. */
  idle(options?: { graceMs?: number }): Promise<void>
}

/**
 * The same service, which runs, or keeps waiting, so many calls and reads at a time, whoever its clients are. One more has failed at once, and
 * its result says why: a queue would only move the memory that it takes.
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
    callTool: async (call, context) => await within(async () => await callTool(call, context)),
    ...(readResource && {
      readResource: async (uri, signal) =>
        await within(async () => await readResource(uri, signal)),
    }),
    idle: async ({ graceMs = GRACE_MS } = {}) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)))
      await Promise.race([Promise.allSettled(running), late])
      clearTimeout(timer)
      // What has just ended is still being written.
      await new Promise(setImmediate)
    },
  }
}

function tooMany(most: number): string {
  return `This server runs ${most} calls at a time, and so many are running. The call was not run; make it again when another one has ended.`
}
