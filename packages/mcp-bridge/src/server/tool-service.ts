import {
  type AnswerQuestion,
  type CallContext,
  createFailure,
  type JsonObject,
  type Telemetry,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ResultsForm } from './host-profile.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { createFairQueue, type CallSlot, type QueueLimits } from './fair-queue.ts'
import { identifyClient, type ServedClient, type ServedFeatures } from './served-features.ts'

/** Runs a call of a client; `ExecuteCall` is one. */
export type ServeCall = (
  call: ToolCall,
  context: CallContext,
  client: ServedClient,
) => Promise<ToolResult>

/** Tools as an MCP server offers them, to one client or to all. */
export interface ToolService {
  /** The name of the server. */
  readonly name: string
  readonly version: string
  /** Instructions for the client's model. */
  readonly instructions?: string
  /** Returns the tools that are offered now. */
  definitions(): readonly ToolDefinition[]
  /** Whether a client must not learn of a tool with this name. Default: no client. */
  readonly isHidden?: (tool: string, client: Pick<ServedClient, 'identified'>) => boolean
  /** Runs a call. Questions go to the client's user, if the client supports it. `client` is the one that calls. */
  readonly callTool: ServeCall
  /** Called with a call of a tool that is not offered, before it is refused. For a record: the client gets the same answer, whatever this does. Default: nothing. */
  readonly onUnknownTool?: (call: ToolCall) => Promise<void>
  /** Absolute path of the workspace. */
  readonly root: string
  /** Whether the causes of an error (`trace`) follow its text, for the models of clients. Default: true. */
  readonly errorTrace?: boolean
  /**
   * `host`: a client whose host is known to lose a part of results gets them in a form that its model receives completely (`HOST_PROFILES`); the result of
   * `callTool` is unchanged, for a record. A profile: every client gets them as this host needs them. `as-is`: every client gets results as they are. Default: `as-is`.
   */
  readonly results?: ResultsForm
  /** Reads a link of an earlier result; absent: resources are not declared. */
  readonly readResource?: (uri: string, signal: AbortSignal) => Promise<ToolResult>
  /** What is offered besides tools; absent: nothing, except links if there is `readResource`. */
  readonly features?: ServedFeatures
  /** Reports requests, by OpenTelemetry's conventions for MCP. Default: nothing is reported. */
  readonly telemetry?: Telemetry
  /** Further data of the server for its clients, such as `title`, `icons` and `websiteUrl`. */
  readonly info?: JsonObject
  /** What is still being started when the service begins. Absent: everything is there. */
  readonly starting?: StartingServers
  /** Registers a listener that is called when `definitions` changes; returns a function that removes it. */
  readonly onDefinitionsChanged?: (changed: () => void) => () => void
  /**
   * Opens what one client alone has, such as its connections to servers, its conversation, and its running calls of stateful tools. It is called when a
   * session needs it for the first time, and for each request of MCP 2026-07-28, which has no sessions. What the service says of itself, its tools
   * for the list of a stream, and its features for streams are those of the service itself. Default: all clients share the service.
   */
  readonly open?: (client: ServedClient) => Promise<ClientService>
}

/** The servers behind a service that are still being started: their tools, prompts and resources come later. */
export interface StartingServers {
  /**
   * Waits until each has started or failed, or is not waited for any longer. Called before each list, and before a call of an unknown tool with its name: it is worth
   * a longer wait if a server is known to offer it.
   */
  wait(called?: string): Promise<void>
  /** Returns the names of those that have not started yet. */
  names(): readonly string[]
}

/** What one client is served. */
export interface ClientService extends Omit<ToolService, 'open'> {
  /** Ends what the client has, when its session or its request has ended. */
  close(): Promise<void>
}

/** A running service. */
export interface RunningService {
  /** Settles when the service has ended, for any reason. */
  readonly closed: Promise<void>
  /** Refuses new calls, gives running ones `graceMs` (default 5000) to end, then cancels them. */
  close(options?: { graceMs?: number }): Promise<void>
}

/** Milliseconds in which running calls may end. */
export const GRACE_MS = 5000

/** A service whose calls wait for a place. */
export interface QueuedService extends ToolService {
  /** Cancels what still runs after `graceMs`, and settles when no call runs any more, or soon after that. */
  finish(options?: { graceMs?: number }): Promise<void>
}

/** The most milliseconds that a timer of Node.js takes. */
const LONGEST_MS = 2 ** 31 - 1

/** Milliseconds in which a cancelled call can still answer. */
const LAST_WORDS_MS = 1000

/**
 * Returns the same service with a maximum number of calls and reads at a time. Further ones wait in a fair queue, and report it as progress. A call
 * that waits for the answer of its client has no place meanwhile.
 */
export function queueCalls(service: ToolService, limits: QueueLimits = {}): QueuedService {
  const queue = createFairQueue(limits)
  const running = new Set<Promise<unknown>>()
  const ending = new AbortController()

  async function track<Value>(result: Promise<Value>): Promise<Value> {
    running.add(result)
    try {
      return await result
    } finally {
      running.delete(result)
    }
  }

  /** A call or read that is cancelled while it waits has a result that says so. */
  async function enter(
    client: string,
    { signal: callSignal, onProgress }: Pick<CallContext, 'signal' | 'onProgress'>,
    work: (slot: CallSlot, signal: AbortSignal) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const signal = AbortSignal.any([callSignal, ending.signal])
    const onWait = (before: number): void => onProgress?.({ message: describeWait(before) })
    try {
      return await track(
        queue.run({ client, signal, onWait }, async (slot) => await work(slot, signal)),
      )
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error
      return createFailure('The call was cancelled while it waited for a place.', 'cancelled')
    }
  }

  function queueService<Service extends Omit<ToolService, 'open'>>(
    toolService: Service,
    reader: string,
  ): Service {
    const { callTool, readResource } = toolService
    return {
      ...toolService,
      callTool: async (call, context, client) =>
        await enter(getTurn(client), context, async ({ lend }, signal) => {
          const { user } = context.ask ?? {}
          const asked: AnswerQuestion | undefined =
            user && (async (...about) => await lend(async () => await user(...about)))
          const request: ServedClient['request'] = async (...about) =>
            await lend(async () => await client.request(...about))
          const ask = asked && { ask: { ...context.ask, user: asked } }
          await client.beginCall?.()
          return await callTool(call, { ...context, signal, ...ask }, { ...client, request })
        }),
      ...(readResource && {
        readResource: async (uri, signal) =>
          await enter(reader, { signal }, async (_, ended) => await readResource(uri, ended)),
      }),
    }
  }

  const { open } = service
  return {
    ...queueService(service, ''),
    ...(open && {
      open: async (client) => queueService(await open(client), getTurn(client)),
    }),
    finish: async ({ graceMs = GRACE_MS } = {}) => {
      await settled(graceMs)
      ending.abort()
      await settled(LAST_WORDS_MS)
      // The last result is still being written.
      await new Promise(setImmediate)
    },
  }

  /** Also waits for calls that come meanwhile. */
  async function settled(mostMs: number): Promise<void> {
    const late = AbortSignal.timeout(Math.min(mostMs, LONGEST_MS))
    const { promise, resolve } = Promise.withResolvers<void>()
    late.addEventListener('abort', () => resolve())
    while (running.size > 0 && !late.aborted)
      await Promise.race([Promise.allSettled(running), promise])
  }
}

/** Returns who takes turns: whoever has proved who it is, otherwise a session, or a client without one. */
function getTurn(client: ServedClient): string {
  if (client.identified) return client.identity
  return client.protocolVersion === STATELESS_VERSION ? identifyClient(client) : client.id
}

function describeWait(before: number): string {
  return before === 0
    ? 'waiting for a free place'
    : `waiting for a free place, after ${before} other calls of this client`
}
