import { getErrorText } from '@toolblocks/protocol/internal'
import { type JsonObject, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'
import type { AskingServer } from './answer-server.ts'
import type { Connection } from './keep-connection.ts'
import type { RunningCall } from './running-calls.ts'
import {
  getCapabilities,
  CLIENT,
  type NewConnection,
  notUnderstood,
  readServer,
  initialize,
  whileConnecting,
} from './initialize.ts'
import { SUBSCRIBE, UNSUBSCRIBE } from '../wire/message.ts'
import type { HttpAccess } from '../wire/http.ts'
import { openPeer } from '../wire/peer.ts'
import { answerRequest, visitPages } from './answer-request.ts'
import type { HttpSession } from './http-session.ts'
import { SESSION_VERSIONS } from '../wire/versions.ts'

/** The functions that a session over HTTP needs besides its messages. */
export interface SessionAccess {
  session: HttpSession
  access: HttpAccess
}

/** Initializes a connection to a server of MCP up to 2025-11-25. Rejects with a `McpServerError`. */
export async function openSession(
  connection: NewConnection,
  overHttp?: SessionAccess,
): Promise<Connection> {
  const { server, wire, asking, listener } = connection
  const peer = openPeer(wire, {
    ...listener,
    onRequest: async (request) => await answerRequest(request, asking),
  })
  const [newest] = SESSION_VERSIONS
  const offer = {
    protocolVersion: newest,
    capabilities: getCapabilities(asking.hooks.isShared === true ? withoutAnswers(asking) : asking),
    clientInfo: CLIENT,
  }
  const answer = await initialize(peer, { method: 'initialize', params: offer }, connection)
  const { protocolVersion, serverInfo } = answer
  if (typeof protocolVersion !== 'string' || !SESSION_VERSIONS.includes(protocolVersion))
    throw notUnderstood(server, `its version is ${JSON.stringify(protocolVersion)}`)
  overHttp?.session.agree(protocolVersion)
  const confirmed = peer.notify('notifications/initialized', {}).catch((error: unknown) => {
    throw notUnderstood(server, getErrorText(error))
  })
  await whileConnecting(confirmed, connection)
  const heard = overHttp?.session.hearUnasked(overHttp.access)
  const described = readServer(answer, serverInfo)
  const request: Connection['request'] = async (method, params, signal) => {
    // A server may drop what it asks while the stream for that is not open. Nobody is asked about a list.
    if (!method.endsWith('/list')) await heard
    return await peer.request(method, params, { signal })
  }
  return {
    protocolVersion,
    ...described,
    request: asking.hooks.isShared === true ? countSubscriptions(request) : request,
    notify: (method, params) => peer.notify(method, params),
    call: async (callParams, definition, running) => {
      const params = isTask(definition, described.capabilities, running)
        ? { ...callParams, task: {} }
        : callParams
      return await request('tools/call', params, running.deadline.signal)
    },
    // Requested early if input is required: only then does the server ask its questions.
    endOfTask: async ({ id, status }, signal) =>
      status === 'completed' || status === 'failed' || status === 'input_required'
        ? await peer.request('tasks/result', { taskId: id }, { signal })
        : undefined,
    settleError: visitPages(asking),
    ended: peer.ended,
    ...(overHttp && { retired: overHttp.session.retired }),
    close: peer.close,
  }
}

/** A connection has one subscription for a resource. It is ended when the last of several clients ends it. */
function countSubscriptions(request: Connection['request']): Connection['request'] {
  const counts = new Map<unknown, number>()
  return async (method, params, signal) => {
    const { uri } = params
    const count = counts.get(uri) ?? 0
    if (method === UNSUBSCRIBE) {
      counts.set(uri, count - 1)
      if (count > 1) return { kind: 'result', result: {} }
      counts.delete(uri)
    }
    const reply = await request(method, params, signal)
    if (method === SUBSCRIBE && reply.kind === 'result') counts.set(uri, (counts.get(uri) ?? 0) + 1)
    return reply
  }
}

/** Whether to call as a task: if the tool requires it, or allows it and no caller waits. */
function isTask(
  definition: ToolDefinition,
  { tasks }: JsonObject,
  { isLive }: RunningCall,
): boolean {
  const execution = 'execution' in definition ? definition.execution : undefined
  if (!isJsonObject(execution) || !isJsonObject(tasks)) return false
  const { taskSupport } = execution
  return taskSupport === 'required' || (isLive && taskSupport === 'optional')
}

/** Nobody answers what a server asks over a connection that clients share. */
function withoutAnswers(asking: AskingServer): AskingServer {
  const { capabilities } = asking.hooks
  return { ...asking, hooks: capabilities ? { capabilities } : {} }
}
