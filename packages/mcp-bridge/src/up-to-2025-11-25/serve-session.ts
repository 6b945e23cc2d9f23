import { randomUUID } from 'node:crypto'
import type { AnswerQuestion, CallContext, JsonObject, ToolCall } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import { getModes, readAnswer, toElicitation } from '../serve/elicitation.ts'
import { toMcpOutputSchema, readCall, serveRequest, toServedResult } from '../serve/serve-call.ts'
import { type ServedClient, trackSubscriptions, unsubscribe } from '../serve/served-features.ts'
import { supportsTasks } from '../serve/served-tasks.ts'
import type { ToolService } from '../serve/tool-service.ts'
import { type Id, METHOD_NOT_FOUND, RpcError } from '../wire/message.ts'
import type { Peer, PeerRequest, Reply } from '../wire/peer.ts'
import { createSessionTasks, type SessionTasks, TASKS_CAPABILITY } from './session-tasks.ts'
import { SESSION_VERSIONS } from './versions.ts'

/** Serves one client. */
export interface ServedSession {
  /** Answers a request of the client. */
  answer(request: PeerRequest, peer: Peer): Promise<JsonObject>
  /** Receives a notification of the client. */
  onNotification(method: string, params: JsonObject): void
}

/** Serves one client of MCP up to 2025-11-25: it initializes once, and its user is asked while a call runs. */
export function serveSession(service: ToolService): ServedSession {
  const { name, version, instructions, info, readResource, features } = service
  const subscriptions = trackSubscriptions()
  let capabilities: JsonObject = {}
  let protocolVersion = ''
  let leave: (() => void) | undefined
  let isGone = false
  /** Absent if the client speaks a version without tasks. */
  let tasks: SessionTasks | undefined
  const id = randomUUID()

  /** The client; its messages belong to one of its requests, if there is one. */
  function getClient(peer: Peer, relatedTo?: Id): ServedClient {
    const related = relatedTo === undefined ? {} : { relatedTo }
    return {
      id,
      protocolVersion,
      capabilities,
      request: async (method, params, signal) =>
        await peer.request(method, params, { signal, ...related }),
      notify: (method, params) => void peer.notify(method, params, related).catch(() => undefined),
    }
  }

  function initialize(params: JsonObject, peer: Peer): JsonObject {
    const { protocolVersion: wanted, capabilities: declared } = params
    const isSpoken = typeof wanted === 'string' && SESSION_VERSIONS.includes(wanted)
    capabilities = isJsonObject(declared) ? declared : {}
    protocolVersion = (isSpoken ? wanted : SESSION_VERSIONS[0]) ?? ''
    const isFirst = leave === undefined
    end()
    leave = join(peer)
    tasks =
      protocolVersion === '2025-11-25'
        ? createSessionTasks((relatedTo) => getClient(peer, relatedTo))
        : undefined
    if (isFirst)
      void peer.ended.then(() => {
        isGone = true
        end()
      })
    return {
      protocolVersion,
      capabilities: {
        ...(readResource && { resources: {} }),
        ...features?.capabilities(),
        tools: { listChanged: true },
        ...(tasks && { tasks: TASKS_CAPABILITY }),
      },
      serverInfo: { ...info, name, version },
      ...(instructions !== undefined && { instructions }),
    }
  }

  function end(): void {
    leave?.()
    tasks?.close()
  }

  /** Passes changes on to the client until it is gone. */
  function join(peer: Peer): () => void {
    const client = getClient(peer)
    const unwatch = [
      service.onDefinitionsChanged?.(() => client.notify('notifications/tools/list_changed', {})),
      features?.watch((method, params) => {
        if (subscriptions.concerns(method, params)) client.notify(method, params)
      }, client),
    ]
    return () => {
      for (const stop of unwatch) stop?.()
      if (features) unsubscribe(features, subscriptions.clear(), client)
    }
  }

  /** Runs a call; its questions go to this client. */
  async function runCall(
    call: ToolCall,
    context: Omit<CallContext, 'ask'>,
    client: ServedClient,
  ): Promise<JsonObject> {
    const modes = getModes(capabilities)
    const ask: AnswerQuestion = async (question, about) => {
      const asked = toElicitation(question, about, modes)
      if ('action' in asked) return asked
      const { signal } = about
      const reply = await client.request('elicitation/create', asked.params, signal)
      if (reply.kind === 'result' && isJsonObject(reply.result))
        return readAnswer(reply.result, asked.form)
      if (signal.aborted) return { action: 'cancel', reason: 'aborted' }
      const message = `the client did not ask: ${getReason(reply)}`
      return { action: 'cancel', reason: 'failed', message }
    }
    const canAsk = modes.form || modes.url
    const asks = canAsk && { ask: { user: ask } }
    const returned = await service.callTool(call, { ...context, ...asks }, client)
    return toServedResult(returned, {
      canAsk,
      protocolVersion: '2025-11-25',
      ...toMcpOutputSchema(service, call),
    })
  }

  /** Starts a call whose result the client requests later. */
  function beginTask(params: JsonObject, { begin }: SessionTasks): JsonObject {
    const call = readCall(service, params)
    if (!supportsTasks(service, call.name))
      throw new RpcError(METHOD_NOT_FOUND, `The tool cannot be called as a task: ${call.name}`)
    return begin(params, async (context, client) =>
      runCall(call, { ...context, root: service.root }, client),
    )
  }

  return {
    onNotification: (method, params) => features?.onClientNotification?.(method, params),
    answer: async (request, peer) => {
      const { id: relatedTo, method, params } = request
      switch (method) {
        case 'initialize':
          return initialize(params, peer)
        case 'ping':
          return {}
      }
      if (tasks && method.startsWith('tasks/')) return await tasks.answer(request)
      if (tasks && method === 'tools/call' && params['task'] !== undefined)
        return beginTask(params, tasks)
      const client = getClient(peer, relatedTo)
      subscriptions.check(request)
      const result = await serveRequest(service, request, {
        protocolVersion: '2025-11-25',
        client,
        notify: async (about, given) => await peer.notify(about, given, { relatedTo }),
        serveCall: async (context) => await runCall(readCall(service, params), context, client),
      })
      subscriptions.note(request)
      // A subscription may be made after its client has gone.
      if (isGone && features) unsubscribe(features, subscriptions.clear(), client)
      return result
    },
  }
}

function getReason(reply: Reply): string {
  switch (reply.kind) {
    case 'error':
      return reply.message
    case 'loss':
      return reply.loss.reason
    case 'aborted':
      return 'it was cancelled'
    case 'result':
      return 'its answer is not an object'
  }
}
