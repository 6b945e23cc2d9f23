import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { UNSUPPORTED_VERSION } from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { countStray, STRAY_FIX } from '../wire/stray-lines.ts'
import type { Peer, PeerListener, Reply, Wire } from '../wire/peer.ts'
import type { AskingServer } from './answer-server.ts'
import type { Connection } from './keep-connection.ts'
import { isMcpServerErrorCode, McpServerError } from './failures.ts'

/** A connection to a server that is not initialized yet. */
export interface NewConnection {
  /** Its configured name. */
  server: string
  wire: Wire
  asking: AskingServer
  /** Receives the server's notifications. */
  listener: Omit<PeerListener, 'onRequest'>
  signal: AbortSignal
  /** Returns what its program has printed on standard error so far; absent without a program. */
  serverText?: () => string
}

/** What the end of connecting is explained with. */
type Connecting = Pick<NewConnection, 'server' | 'signal' | 'serverText'>

/** The name and version that this client sends. */
export const CLIENT = { name: 'toolblocks', version: '0' }

/** Sends the first request, `initialize` or `server/discover`, and returns its result. Rejects with a `McpServerError`. */
export async function initialize(
  peer: Peer,
  { method, params }: { method: string; params: JsonObject },
  connection: NewConnection,
): Promise<JsonObject> {
  const { signal } = connection
  let reply = await peer.request(method, params, { signal })
  // A server may refuse a version at first although it supports it.
  if (method !== 'initialize' && listSupported(reply).includes(STATELESS_VERSION))
    reply = await peer.request(method, params, { signal })
  if (reply.kind === 'result' && isJsonObject(reply.result)) return reply.result
  throw explainFailure(reply, connection)
}

/** Waits for a step that has no time limit of its own. Rejects with a `McpServerError` when connecting has taken too long or was cancelled. */
export async function whileConnecting<Value>(
  step: Promise<Value>,
  connection: Connecting,
): Promise<Value> {
  const { signal } = connection
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(explainFailure({ kind: 'aborted' }, connection))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  try {
    return await Promise.race([ended, step])
  } finally {
    signal.removeEventListener('abort', stop)
    // It may fail later, when nobody waits any more.
    step.catch(() => undefined)
  }
}

/** Returns the versions that a server supports, if it has refused a request because of its version. */
function listSupported(reply: Reply): readonly string[] {
  if (reply.kind !== 'error' || reply.code !== UNSUPPORTED_VERSION) return []
  const supported = isJsonObject(reply.data) ? reply.data['supported'] : undefined
  return Array.isArray(supported) ? supported.filter((each) => typeof each === 'string') : []
}

/** Returns the client's capabilities: servers may not request anything that is not declared. */
export function getCapabilities({
  hooks: { canAsk = false, listRoots, createMessage, capabilities = {} },
}: AskingServer): JsonObject {
  const {
    roots = {},
    sampling = {},
    elicitation = { form: {}, url: {} },
    ...further
  } = capabilities
  return {
    ...further,
    ...(canAsk && { elicitation }),
    ...(listRoots && { roots }),
    ...(createMessage && { sampling }),
  }
}

/** Creates the error for an answer to the first request that an MCP server would not send. */
export function notUnderstood(server: string, serverText: string): McpServerError {
  const reason = 'it does not answer as an MCP server does'
  return new McpServerError(server, { code: 'not-understood', reason, serverText })
}

/** Creates the error for a connection that the caller cancelled. */
export function createCancelledError(server: string): McpServerError {
  return new McpServerError(server, { code: 'closed', reason: 'it was cancelled' })
}

/** Reads the server's data from the answer to the first request, with `info`. */
export function readServer(
  { capabilities, instructions }: JsonObject,
  info: unknown,
): Pick<Connection, 'capabilities' | 'info' | 'instructions'> {
  const { name, version, ...more } = isJsonObject(info) ? info : {}
  return {
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    ...(typeof name === 'string' &&
      typeof version === 'string' && {
        info: { ...withoutOddTitle(more), name, version },
      }),
    ...(typeof instructions === 'string' && { instructions }),
  }
}

/** A title that is not a text is dropped; other fields are unchanged. */
function withoutOddTitle({ title, ...more }: JsonObject): JsonObject & { title?: string } {
  return { ...more, ...(typeof title === 'string' && { title }) }
}

/** Explains why a server could not be connected, and what to do. */
function explainFailure(reply: Reply, { server, signal, serverText }: Connecting): McpServerError {
  switch (reply.kind) {
    case 'loss': {
      const { loss } = reply
      // A program ended; any other connection may be there at another attempt.
      const lost = serverText ? 'not-started' : 'unreachable'
      const kind = loss.kind === 'lost' ? lost : loss.kind
      const code = isMcpServerErrorCode(kind) ? kind : 'not-understood'
      const { reason, serverText: text, fix } = loss
      return new McpServerError(server, {
        code,
        reason,
        serverText: text,
        ...(fix !== undefined && { fix }),
      })
    }
    case 'aborted': {
      const { reason } = signal
      if (!(reason instanceof Error) || reason.name !== 'TimeoutError')
        return createCancelledError(server)
      const { stray } = reply
      const printed = serverText?.() ?? ''
      return new McpServerError(server, {
        code: 'timeout',
        reason: `it did not answer "initialize" in time${stray ? `; ${countStray(stray)}` : ''}`,
        serverText: stray ? `${stray.text}\n${printed}`.trim() : printed,
        ...(stray && { fix: STRAY_FIX }),
      })
    }
    case 'error':
      return new McpServerError(server, {
        code: listSupported(reply).length > 0 ? 'unsupported-version' : 'not-understood',
        reason: `it answered the first request with error ${reply.code}`,
        serverText: reply.message,
      })
    case 'result':
      return notUnderstood(
        server,
        `its answer to the first request is ${JSON.stringify(reply.result)}`,
      )
  }
}
