import type { Problem, StartProgram, Telemetry, ToolResult } from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import { type BridgeProblem, isMcpServerErrorCode, McpServerError } from './client/failures.ts'
import { type CallableServer, callTool } from './client/call-tool.ts'
import { type Connection, keepConnection, type Purpose } from './client/keep-connection.ts'
import type { McpServer, ServerHooks } from './client/mcp-server.ts'
import { reportProgress, trackCalls } from './client/running-calls.ts'
import { createCancelledError } from './client/initialize.ts'
import { readServerConfig, type ServerConfig, type ServerEntry } from './client/server-config.ts'
import { readLinks, rememberLinks } from './client/read-links.ts'
import { readResource } from './client/read-resource.ts'
import { openConnection, type ConnectionRequest, prepareTransport } from './open-connection.ts'
import type { HttpFetch } from './wire/http-fetch.ts'
import type { Loss } from './wire/peer.ts'
import { countStray, createStrayLines, type Stray, STRAY_FIX } from './wire/stray-lines.ts'
import { listTools } from './client/list-tools.ts'
import { type MadeTools, makeTools } from './client/make-tools.ts'

const TIMEOUT_MS = 120_000

const CONNECT_TIMEOUT_MS = 30_000

const NEVER = new AbortController().signal

/** How connecting starts programs and sends requests, and how it is cancelled. */
export interface ConnectOptions {
  /**
   * Starts the programs of servers with `kind: 'stdio'`, which cannot be connected without it: `startProgram` of `@toolblocks/local-executor`, or
   * another function.
   */
  readonly startProgram?: StartProgram
  /**
   * Sends the HTTP requests of a server with `kind: 'http'`: that of `createOAuth` (`@toolblocks/mcp-bridge/oauth`), which logs in, or another
   * function. Default: `fetchAnswer` (`@toolblocks/mcp-bridge/fetch`).
   */
  readonly fetch?: HttpFetch
  /** Cancels connecting. A connected server is ended by its `close`. */
  readonly signal?: AbortSignal
  /**
   * Called before each connection is opened, and may wait, for example for a free place for its program. The function that it returns is called when
   * the connection has ended. The wait does not count for `connectTimeoutMs`. Default: a connection is opened at once.
   */
  readonly admit?: (signal: AbortSignal) => Promise<() => void>
  /** Reports requests, by OpenTelemetry's conventions for MCP, and names them in `_meta`. Default: nothing is reported. */
  readonly telemetry?: Telemetry
}

/**
 * Starts or reaches a server, initializes the connection and reads its list of tools. Rejects with a `McpServerError`, whose code is `closed` if
 * `signal` aborts; no program is left running then. After that nothing rejects: a lost connection is opened again for the next call, with growing
 * pauses, and a list of tools that was lost is read again, while the tools of before stay.
 */
export async function connectServer(
  config: ServerConfig | ServerEntry,
  hooks: ServerHooks = {},
  { signal: cancelling, startProgram, fetch, admit, telemetry }: ConnectOptions = {},
): Promise<McpServer> {
  const resolved = readServerConfig(config)
  const {
    name,
    timeoutMs = TIMEOUT_MS,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    trusted = false,
  } = resolved
  if (cancelling?.aborted) throw createCancelledError(name)
  const calls = trackCalls()
  const links = rememberLinks()
  const strays = createStrayLines()
  const list = watchList(async () => await refresh(AbortSignal.timeout(connectTimeoutMs)))
  const asking = { server: name, calls, hooks }
  const opening: Omit<ConnectionRequest, 'signal'> = {
    asking,
    startProgram,
    fetch,
    telemetry,
    createTransport: prepareTransport(resolved),
    listener: {
      onNotification: (method, params) => {
        switch (method) {
          case 'notifications/progress': {
            const running = calls.byToken(params['progressToken'])
            if (running) reportProgress(running, params)
            break
          }
          case 'notifications/tools/list_changed':
            list.changed()
            break
          case 'notifications/message':
            hooks.onLog?.(params)
            break
        }
        hooks.onNotification?.(method, params)
      },
      onMessage: hooks.onMessage,
    },
    onStrayLine: strays.add,
  }
  async function open(ending: AbortSignal): Promise<Connection> {
    const leave = await admit?.(ending)
    const signal = AbortSignal.any([ending, AbortSignal.timeout(connectTimeoutMs)])
    try {
      const connection = await openConnection(resolved, { ...opening, signal })
      if (leave) void connection.ended.then(leave)
      return connection
    } catch (error) {
      leave?.()
      throw error
    }
  }

  const first = await open(cancelling ?? NEVER)
  const kept = keepConnection(first, open, {
    onStateChange: (state) => hooks.onStateChange?.(state),
    onReopened: list.changed,
  })
  const callable: CallableServer = {
    ...asking,
    kept,
    timeoutMs,
    isTimeoutSet: resolved.timeoutMs !== undefined,
    trusted,
    onLinks: async (result, running) => {
      links.note(result)
      return await readLinks(
        result,
        resolved.links ?? {},
        async (uri) => await read(uri, running.deadline.signal),
      )
    },
  }
  let problems: readonly (BridgeProblem | Problem)[] = []
  let made: MadeTools = { tools: [], names: new Map(), problems: [] }

  const requestFor =
    (purpose: Purpose): Connection['request'] =>
    async (method, params, ending) => {
      const { reply } = await kept.send(
        async (connection) => await connection.request(method, params, ending),
        ending,
        purpose,
      )
      return reply
    }
  const request = requestFor('use')

  async function read(uri: string, ending: AbortSignal): Promise<ToolResult> {
    const result = await readResource(uri, { server: name, kept, timeoutMs }, ending)
    links.note(result)
    return result
  }

  /** Returns why the list is unknown. The tools of before stay then, or there are those that came before the loss. */
  async function readList(ending: AbortSignal): Promise<Loss | undefined> {
    const { protocolVersion } = first
    const listed = await listTools({ protocolVersion, request: requestFor('list') }, ending)
    const { loss } = listed
    // Any loss, also an end of this side's own: a program that is ended until its next use still has its tools.
    if (loss && (made.tools.length > 0 || (loss.transient && listed.definitions.length === 0)))
      return loss
    made = makeTools(listed.definitions, {
      server: name,
      settings: resolved.tools ?? {},
      toolNames: resolved.toolNames ?? 'prefixed',
      call: (definition, use) => callTool(definition, callable, use),
    })
    problems = [...listed.problems, ...made.problems]
    return loss?.transient ? loss : undefined
  }

  /** Returns whether the list is known. The list of a connection that is opened later is read then. */
  async function refresh(ending: AbortSignal): Promise<boolean> {
    if (!kept.current) return true
    const loss = await readList(ending)
    if (loss) return false
    hooks.onToolsChanged?.(server)
    return true
  }

  const late = AbortSignal.timeout(connectTimeoutMs)
  const loss = await readList(cancelling ? AbortSignal.any([cancelling, late]) : late)
  if (cancelling?.aborted || (loss && made.tools.length === 0)) {
    await kept.close()
    throw cancelling?.aborted || !loss
      ? createCancelledError(name)
      : createUnlistedError(resolved, loss)
  }
  if (loss) list.changed()
  const { protocolVersion, info, instructions, capabilities } = first
  const server: McpServer = {
    name,
    protocolVersion,
    capabilities,
    ...(info && { info }),
    ...(instructions !== undefined && { instructions }),
    get state() {
      return kept.state
    },
    get nonProtocolLines() {
      return strays.count
    },
    get problems() {
      const stray = strays.after(0)
      return stray ? [...problems, warnOfStray(stray)] : problems
    },
    tools: () => made.tools,
    nameOnServer: (tool) => made.names.get(tool),
    hasLinked: links.has,
    readResource: async (uri, context) => await read(uri, context.signal),
    request: async (method, params, { signal: ending }) => await request(method, params, ending),
    rest: async () => {
      if (calls.all().length === 0) await kept.rest()
    },
    notify: (method, params) => void kept.current?.notify(method, params).catch(() => undefined),
    close: async () => {
      list.stop()
      await kept.close()
    },
  }
  list.start()
  return server
}

/** Warns about a server that works although it prints lines that are no messages. */
function warnOfStray(stray: Stray): BridgeProblem {
  const last = stray.text.split('\n').at(-1) ?? ''
  const message = `${countStray(stray)}, ${stray.count === 1 ? 'and was' : 'and were'} ignored: ${quoteName(last)}. ${STRAY_FIX}`
  return { path: '', message, code: 'stray-line' }
}

/** Creates the error for a server whose list of tools was lost. */
function createUnlistedError({ name, transport }: ServerConfig, loss: Loss): McpServerError {
  const { kind, reason, serverText, fix } = loss
  const usualCode = transport.kind === 'stdio' ? 'not-started' : 'unreachable'
  return new McpServerError(name, {
    code: isMcpServerErrorCode(kind) ? kind : usualCode,
    reason: `its list of tools was lost: ${reason}`,
    serverText,
    ...(fix !== undefined && { fix }),
  })
}

/**
 * Milliseconds after a change before the list is read again, by the number of times that it was lost since then: servers announce every tool that
 * they add. After the last one it is read again when it changes.
 */
const PAUSES_MS = [300, 1000, 2000, 5000, 10_000, 30_000]

/** Reads a list again after it changed. */
export interface ListWatch {
  changed(): void
  /** Reads the list now if it changed before. */
  start(): void
  stop(): void
}

/** Reads the list once for changes that arrive close together, and never twice at the same time. `read` returns whether the list is known. */
export function watchList(read: () => Promise<boolean>): ListWatch {
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let isStopped = false
  let isChanged = false
  let losses = 0
  let reading: Promise<void> | undefined

  async function readOnce(): Promise<void> {
    isChanged = false
    losses = (await read()) ? 0 : losses + 1
    // A change meanwhile begins anew.
    if (isChanged) losses = 0
    isChanged ||= losses > 0 && losses < PAUSES_MS.length
  }

  function schedule(): void {
    // Later changes do not delay it: a server may announce changes without end.
    if (!isChanged || !isStarted || isStopped || reading || timer) return
    timer = setTimeout(() => {
      timer = undefined
      reading = readOnce().finally(() => {
        reading = undefined
        schedule()
      })
    }, PAUSES_MS[losses])
    timer.unref()
  }

  return {
    changed: () => {
      isChanged = true
      if (losses > 0) clearTimeout(timer)
      if (losses > 0) timer = undefined
      losses = 0
      schedule()
    },
    start: () => {
      isStarted = true
      schedule()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
