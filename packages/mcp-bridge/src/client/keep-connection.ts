import { type JsonObject, type ToolDefinition } from '@toolblocks/protocol'
import { quoteName } from '@toolblocks/protocol/internal'
import type { Loss, Reply } from '../wire/peer.ts'
import { McpServerError } from './failures.ts'
import type { ServerInfo, ServerState } from './mcp-server.ts'
import type { RunningCall } from './running-calls.ts'

/** Milliseconds before a lost connection is opened again; the list restarts after a connection that lasted, or was of use. */
const BACK_OFF_MS = [0, 500, 1000, 2000, 5000, 10_000, 30_000]
/** Milliseconds after which a connection counts as lasting. */
const LASTING_MS = 60_000

/** An initialized connection. It ends once and is not opened again. */
export interface Connection {
  readonly protocolVersion: string
  readonly capabilities: JsonObject
  readonly info?: ServerInfo
  readonly instructions?: string
  /** Never rejects, and has no timeout of its own. */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<Reply>
  /** Sends a notification. Rejects if it cannot be sent. */
  notify(method: string, params: JsonObject): Promise<void>
  /** Sends `tools/call`, with the headers or fields that the protocol version adds to the parameters. */
  call(params: JsonObject, definition: ToolDefinition, running: RunningCall): Promise<Reply>
  /** Requests the result of a task; absent: the task contains it. */
  readonly endOfTask?: (
    task: { id: string; status: string },
    signal: AbortSignal,
  ) => Promise<Reply | undefined>
  /** Asks a person for what an error requires before the call is made again; absent: only results can ask. */
  readonly settleError?: (
    error: { code: number; data?: unknown },
    running: RunningCall,
  ) => Promise<'settled' | 'decline' | 'cancel' | 'not-understood'>
  /** Settles with the reason when the connection has ended. */
  readonly ended: Promise<Loss>
  /** Settles with the reason if new requests must use another connection. Those that wait can still be answered. */
  readonly retired?: Promise<Loss>
  close(): Promise<void>
}

/** The end of a request, and the connection that it was sent on, if there was one. */
interface SentRequest {
  reply: Reply
  connection?: Connection
}

/** What a request is for: what somebody needs, or the list of tools that is read after each opening. An answer to the latter proves little. */
export type Purpose = 'use' | 'list'

/** A connection that is opened again when it was lost and is needed. */
export interface KeptConnection {
  readonly state: ServerState
  /** The open connection. */
  readonly current: Connection | undefined
  /** Returns the open connection, or a new one, or the reason why there is none. */
  get(signal: AbortSignal): Promise<Connection | Loss>
  /**
   * Sends a request on the open connection, or on a new one. It is sent again on another one if the server refuses it without its session, and surely has
   * not executed it. After an answer to a request for use, the connection is opened again at once if it is lost. The connection is not closed before
   * `request` settles. `purpose` is `use` by default.
   */
  send(
    request: (connection: Connection) => Promise<Reply>,
    signal: AbortSignal,
    purpose?: Purpose,
  ): Promise<SentRequest>
  /** Ends the open connection. The next use opens another one at once. */
  rest(): Promise<void>
  close(): Promise<void>
}

/** Listeners for the state of a connection. */
interface ConnectionWatch {
  onStateChange: (state: ServerState) => void
  /** Called before a new connection is used. */
  onReopened: (connection: Connection) => void
  /** Milliseconds of a clock that is never set. */
  now?: () => number
  /** Milliseconds since 1970, for `retryAt`. */
  getDate?: () => number
}

/** Keeps an open connection, and opens it again after a loss with growing pauses. */
export function keepConnection(
  first: Connection,
  /** Rejects with a `McpServerError`. The signal aborts when the kept connection is closed. */
  open: (signal: AbortSignal) => Promise<Connection>,
  { onStateChange, onReopened, now = () => performance.now(), getDate = Date.now }: ConnectionWatch,
): KeptConnection {
  let state: ServerState = { kind: 'connected' }
  let current: Connection | undefined
  let opening: Promise<Connection | Loss> | undefined
  const closing = new AbortController()
  /** The number of requests that wait for an answer, and the connections that take no new ones and are closed after the last answer. */
  const unanswered = new Map<Connection, number>()
  const leaving = new Set<Connection>()
  const ends = new Set<Promise<void>>()
  let losses = 0
  let openedAt = 0
  let retryFrom = 0

  function change(next: ServerState): void {
    state = next
    onStateChange(next)
  }

  /** `hasPause`: whether the pause before the next connection grows with each loss. */
  function loseConnection({ reason, serverText }: Loss, hasPause = true): void {
    current = undefined
    if (state.kind === 'closed') return
    losses = now() - openedAt > LASTING_MS ? 0 : losses
    const delay = hasPause ? (BACK_OFF_MS[Math.min(losses, BACK_OFF_MS.length - 1)] ?? 0) : 0
    losses += 1
    retryFrom = now() + delay
    change({
      kind: 'lost',
      reason,
      ...(serverText !== undefined && { serverText }),
      retryAt: getDate() + delay,
    })
  }

  function use(connection: Connection): Connection {
    current = connection
    openedAt = now()
    void connection.ended.then((loss) => {
      if (current === connection) loseConnection(loss)
    })
    void connection.retired?.then((loss) => {
      if (state.kind === 'closed') return
      if (current === connection) loseConnection(loss)
      leaving.add(connection)
      closeUnused(connection)
    })
    return connection
  }

  /** Closes a connection that takes no new requests, if none waits. Nobody waits for its end. */
  function closeUnused(connection: Connection): void {
    if (unanswered.has(connection) || !leaving.delete(connection)) return
    const end = connection
      .close()
      .catch(() => undefined)
      .finally(() => ends.delete(end))
    ends.add(end)
  }

  async function reopen(): Promise<Connection | Loss> {
    try {
      const connection = await open(closing.signal)
      if (state.kind === 'closed') {
        await connection.close()
        return CLOSED
      }
      use(connection)
      change({ kind: 'connected' })
      onReopened(connection)
      return connection
    } catch (error) {
      const loss = getLoss(error)
      openedAt = now()
      loseConnection(loss)
      return loss
    } finally {
      opening = undefined
    }
  }

  async function get(signal: AbortSignal): Promise<Connection | Loss> {
    if (current) return current
    if (state.kind === 'closed') return CLOSED
    if (state.kind === 'lost') {
      const wait = retryFrom - now()
      if (wait > 0 && !opening) return refuseReconnect(state, wait)
    }
    opening ??= reopen()
    return await untilAborted(opening, signal)
  }

  async function sendOnce(
    request: (connection: Connection) => Promise<Reply>,
    signal: AbortSignal,
    { purpose, isRepeated }: { purpose: Purpose; isRepeated: boolean },
  ): Promise<SentRequest> {
    const connection = current ?? (await get(signal))
    if (signal.aborted) return { reply: { kind: 'aborted' } }
    if ('reason' in connection) return { reply: { kind: 'loss', loss: connection } }
    unanswered.set(connection, (unanswered.get(connection) ?? 0) + 1)
    const reply = await request(connection)
    const isAnswered = reply.kind === 'result' || reply.kind === 'error'
    if (isAnswered && purpose === 'use' && current === connection) losses = 0
    if (isWithoutSession(reply) && current === connection) {
      leaving.add(connection)
      // A server that only forgot the session can be reached.
      loseConnection(reply.loss, isRepeated)
    }
    const left = (unanswered.get(connection) ?? 1) - 1
    if (left > 0) unanswered.set(connection, left)
    else unanswered.delete(connection)
    // Until then the other requests get their own answer, or their refusal, and are sent again, too.
    closeUnused(connection)
    return { reply, connection }
  }

  use(first)
  return {
    get state() {
      return state
    },
    get current() {
      return current
    },
    get,
    send: async (request, signal, purpose = 'use') => {
      const once = await sendOnce(request, signal, { purpose, isRepeated: false })
      return isWithoutSession(once.reply) && !once.reply.loss.maybeExecuted && !signal.aborted
        ? await sendOnce(request, signal, { purpose, isRepeated: true })
        : once
    },
    rest: async () => {
      if (state.kind !== 'connected') return
      const last = current
      current = undefined
      change({ kind: 'resting' })
      await last?.close()
    },
    close: async () => {
      if (state.kind === 'closed') return
      const last = current
      current = undefined
      change({ kind: 'closed' })
      closing.abort()
      await Promise.all([...[last, ...leaving].map(async (each) => await each?.close()), ...ends])
    },
  }
}

const CLOSED: Loss = {
  kind: 'closed',
  reason: 'the connection was closed',
  maybeExecuted: false,
  transient: false,
}

/** Whether the server refused a request because it does not know the session. */
function isWithoutSession(reply: Reply): reply is Extract<Reply, { kind: 'loss' }> {
  return reply.kind === 'loss' && reply.loss.kind === 'session-expired'
}

function refuseReconnect(
  { reason, serverText }: Extract<ServerState, { kind: 'lost' }>,
  wait: number,
): Loss {
  const seconds = Math.ceil(wait / 1000)
  const when = `the next attempt is in ${seconds} ${seconds === 1 ? 'second' : 'seconds'} at the earliest`
  return {
    kind: 'lost',
    reason: `${reason}; ${when}`,
    ...(serverText !== undefined && { serverText }),
    maybeExecuted: false,
    transient: true,
  }
}

function getLoss(error: unknown): Loss {
  if (error instanceof McpServerError) {
    const { code, server, reason, fix, serverText } = error
    return {
      kind: code,
      reason: `MCP server ${quoteName(server)} could not be connected: ${reason}`,
      ...(code === 'unauthorized' && { fix }),
      ...(serverText !== undefined && { serverText }),
      maybeExecuted: false,
      transient: code !== 'unauthorized' && code !== 'unsupported-version',
    }
  }
  return { kind: 'lost', reason: String(error), maybeExecuted: false, transient: true }
}

async function untilAborted(
  opening: Promise<Connection | Loss>,
  signal: AbortSignal,
): Promise<Connection | Loss> {
  const { promise: aborted, resolve } = Promise.withResolvers<Loss>()
  const stop = (): void =>
    resolve({
      kind: 'closed',
      reason: 'the call was ended',
      maybeExecuted: false,
      transient: true,
    })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  try {
    return await Promise.race([aborted, opening])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
