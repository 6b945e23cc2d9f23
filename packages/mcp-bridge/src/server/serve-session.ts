import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  type AnswerQuestion,
  type CallContext,
  type JsonObject,
  type ToolCall,
  isJsonObject,
} from '@toolblocks/protocol'
import { getModes, readAnswer, toElicitation } from './elicitation.ts'
import {
  getCallContext,
  readCall,
  serveRequest,
  getServedForm,
  toServedResult,
} from './serve-call.ts'
import { type ServedClient, trackSubscriptions, unsubscribe } from './served-features.ts'
import { mayHaveTasks, supportsTasks } from './served-tasks.ts'
import type { ToolService } from './tool-service.ts'
import type { TaskRecords } from './task-records.ts'
import type { SessionRecord } from './session-records.ts'
import { type Id, METHOD_NOT_FOUND, RpcError, SUBSCRIBE, UNSUBSCRIBE } from '../wire/message.ts'
import type { Peer, PeerRequest, Reply } from '../wire/peer.ts'
import { createSessionTasks, type SessionTasks, TASKS_CAPABILITY } from './session-tasks.ts'
import { SESSION_VERSIONS } from '../wire/versions.ts'

/** Serves one client. */
export interface ServedSession {
  /** Answers a request of the client. */
  answer(request: PeerRequest, peer: Peer): Promise<JsonObject>
  /** Receives a notification of the client. */
  onNotification(method: string, params: JsonObject): void
  /** Settles when none of its tasks runs. */
  settled(): Promise<void>
  /** Continues a session that another process has begun. */
  restore(
    begun: Omit<SessionRecord, 'identity' | 'identified' | 'client'>,
    peer: Peer,
  ): Promise<void>
}

/**
 * Serves one client of MCP up to 2025-11-25: it initializes once, and its user is asked while a call runs. `identity`, `id`: as `ServedClient` has them; `onChange` receives what
 * another process needs to continue the session; `records`: the tasks of all replicas.
 */
export function serveSession(
  service: ToolService,
  {
    identity,
    identified = () => undefined,
    address = () => undefined,
    isConnected,
    findBegin = () => undefined,
    id = randomUUID(),
    onChange,
    records,
  }: Pick<ServedClient, 'identity' | 'isConnected'> & {
    /** Returns who the client is, as its last request has proved it. */
    identified?: () => ServedClient['identified']
    /** Returns where its last request came from. */
    address?: () => string | undefined
    /** Returns `beginCall` of a request. */
    findBegin?: (request: Id) => ServedClient['beginCall']
    id?: string
    records?: TaskRecords | undefined
    onChange?: (change: Partial<SessionRecord>) => Promise<void>
  },
): ServedSession {
  const { name, version, instructions, info, readResource, features } = service
  const subscriptions = trackSubscriptions()
  /** The requests of the client that run, and among them those that are not about its tasks. */
  const answering = new Set<Id>()
  const running = new Set<Id>()
  let declared: JsonObject = {}
  let clientInfo: JsonObject = {}
  let protocolVersion = ''
  /** What the client is served. */
  let own: Promise<ToolService> | undefined
  /** Ends what the client has. */
  const endings = new Set<() => void>()
  let isGone = false
  let isRestoring = false
  /** Absent if the client speaks a version without tasks. */
  let tasks: SessionTasks | undefined

  /** The client; its messages belong to one of its requests, if that runs. Otherwise a request belongs to the newest one, because over HTTP it needs a stream. */
  function getClient(peer: Peer, relatedTo?: Id): ServedClient {
    const related = relatedTo === undefined ? {} : { relatedTo }
    const proved = identified()
    const from = address()
    const beginCall = relatedTo === undefined ? undefined : findBegin(relatedTo)
    return {
      id,
      protocolVersion,
      capabilities: declared,
      info: clientInfo,
      identity,
      ...(proved && { identified: proved }),
      ...(from !== undefined && { address: from }),
      ...(beginCall && { beginCall }),
      ...(isConnected && { isConnected }),
      request: async (method, params, signal) => {
        const isOpen = relatedTo !== undefined && answering.has(relatedTo)
        const carrier = isOpen ? relatedTo : [...running].at(-1)
        const belongs = carrier === undefined ? {} : { relatedTo: carrier }
        return await peer.request(method, params, { signal, ...belongs })
      },
      notify: (method, params) => void peer.notify(method, params, related).catch(() => undefined),
    }
  }

  function initialize(params: JsonObject, peer: Peer): JsonObject {
    const { protocolVersion: wanted, capabilities, clientInfo: sentInfo } = params
    const isSpoken = typeof wanted === 'string' && SESSION_VERSIONS.includes(wanted)
    declared = isJsonObject(capabilities) ? capabilities : {}
    clientInfo = isJsonObject(sentInfo) ? sentInfo : {}
    const isFirst = protocolVersion === ''
    protocolVersion = (isSpoken ? wanted : SESSION_VERSIONS[0]) ?? ''
    end()
    tasks =
      protocolVersion === '2025-11-25'
        ? createSessionTasks((relatedTo) => getClient(peer, relatedTo), records)
        : undefined
    if (!service.open) own = Promise.resolve(join(service, peer))
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
        ...(tasks && mayHaveTasks(service) && { tasks: TASKS_CAPABILITY }),
      },
      serverInfo: { ...info, name, version },
      ...(instructions !== undefined && { instructions }),
    }
  }

  function end(): void {
    tasks?.close()
    own = undefined
    for (const stop of endings) stop()
    endings.clear()
  }

  /** Returns what the client is served, and opens it when it is needed for the first time. */
  async function getOwn(peer: Peer): Promise<ToolService> {
    const { open } = service
    own ??= open ? openOwn(open, peer) : Promise.resolve(service)
    return await own
  }

  async function openOwn(open: NonNullable<ToolService['open']>, peer: Peer): Promise<ToolService> {
    try {
      const opened = await open(getClient(peer))
      const close = (): void => void opened.close().catch(() => undefined)
      if (isGone) close()
      else endings.add(close)
      return join(opened, peer)
    } catch (error) {
      // The next request tries again.
      own = undefined
      throw error
    }
  }

  /** Passes changes on to the client until it is gone. */
  function join(ownService: ToolService, peer: Peer): ToolService {
    if (isGone) return ownService
    const client = getClient(peer)
    const unwatch = [
      ownService.onDefinitionsChanged?.(() =>
        client.notify('notifications/tools/list_changed', {}),
      ),
      ownService.features?.watch((method, params) => {
        if (subscriptions.concerns(method, params)) client.notify(method, params)
      }, client),
    ]
    endings.add(() => {
      for (const stop of unwatch) stop?.()
      if (ownService.features) unsubscribe(ownService.features, subscriptions.clear(), client)
    })
    return ownService
  }

  /** Runs a call; its questions go to this client. */
  async function runCall(
    ownService: ToolService,
    call: ToolCall,
    { context, client }: { context: Omit<CallContext, 'ask'>; client: ServedClient },
  ): Promise<JsonObject> {
    const modes = getModes(declared)
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
    const returned = await ownService.callTool(call, { ...context, ...asks }, client)
    return toServedResult(returned, {
      canAsk,
      protocolVersion: '2025-11-25',
      ...getServedForm(ownService, call, client),
    })
  }

  /** Starts a call whose result the client requests later. */
  async function beginTask(
    ownService: ToolService,
    params: JsonObject,
    { begin }: SessionTasks,
  ): Promise<JsonObject> {
    const call = await readCall(ownService, params)
    if (!supportsTasks(ownService, call.name))
      throw new RpcError(METHOD_NOT_FOUND, `The tool cannot be called as a task: ${call.name}`)
    return await begin(params, async (context, client) =>
      runCall(ownService, call, { context: { ...context, root: ownService.root }, client }),
    )
  }

  async function answer(request: PeerRequest, peer: Peer): Promise<JsonObject> {
    const { id: relatedTo, method, params } = request
    const ownService = await getOwn(peer)
    if (tasks && method === 'tools/call' && params['task'] !== undefined)
      return await beginTask(ownService, params, tasks)
    const client = getClient(peer, relatedTo)
    if (method === 'tools/call') {
      const context = getCallContext(ownService, request, async (about, notificationParams) => {
        await peer.notify(about, notificationParams, { relatedTo })
      })
      return await runCall(ownService, await readCall(ownService, params), { context, client })
    }
    subscriptions.check(request)
    const result = await serveRequest(ownService, request, {
      protocolVersion: '2025-11-25',
      client,
    })
    subscriptions.note(request)
    await reportChange(request)
    // A subscription may be made after its client has gone.
    if (isGone && ownService.features)
      unsubscribe(ownService.features, subscriptions.clear(), client)
    return result
  }

  async function reportChange({ method, params: { level } }: PeerRequest): Promise<void> {
    if (isRestoring) return
    if (method === SUBSCRIBE || method === UNSUBSCRIBE)
      await onChange?.({ subscriptions: subscriptions.list() })
    if (method === SET_LEVEL && typeof level === 'string') await onChange?.({ level })
  }

  /** Sends the requests again that have changed what the client receives. Those that fail have no effect: the server may be gone. */
  async function restore(
    { initialize: begun, subscriptions: uris, level }: Parameters<ServedSession['restore']>[0],
    peer: Peer,
  ): Promise<void> {
    initialize(begun, peer)
    isRestoring = true
    const requests = [
      ...(level === undefined ? [] : [{ method: SET_LEVEL, params: { level } }]),
      ...uris.map((uri) => ({ method: SUBSCRIBE, params: { uri } })),
    ]
    const signal = AbortSignal.timeout(RESTORE_MS)
    for (const request of requests) {
      const again = { ...request, id: randomUUID(), signal }
      await Promise.race([answer(again, peer).catch(() => undefined), aborted(signal)])
    }
    isRestoring = false
  }

  return {
    restore,
    settled: async () => await tasks?.settled(),
    // Before anything is opened there is nothing to tell: what is opened asks the client itself.
    onNotification: (method, params) =>
      void own?.then(
        (ownService) => ownService.features?.onClientNotification?.(method, params),
        () => undefined,
      ),
    answer: async (request, peer) => {
      const { method, params } = request
      switch (method) {
        case 'initialize':
          return initialize(params, peer)
        case 'ping':
          return {}
      }
      answering.add(request.id)
      try {
        if (tasks && method.startsWith('tasks/')) return await tasks.answer(request)
        running.add(request.id)
        return await answer(request, peer)
      } finally {
        answering.delete(request.id)
        running.delete(request.id)
      }
    },
  }
}

const SET_LEVEL = 'logging/setLevel'
/** Milliseconds in which servers are told again what a client wants. */
const RESTORE_MS = 5000

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
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
