import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError, SUBSCRIBE, UPDATED } from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import { META } from '../wire/request-meta.ts'
import {
  identifyClient,
  MAX_SUBSCRIPTIONS,
  type ServedClient,
  trackSubscriptions,
  unsubscribe,
} from './served-features.ts'
import { type FollowedCalls, requireTasks, TASK_CHANGED } from './tasks-extension.ts'
import type { ToolService } from './tool-service.ts'

const SUBSCRIPTION = `${META}/subscriptionId`

/** The maximum number of open streams. */
const MAX_STREAMS = 1024
/** The maximum number of tasks of one stream. */
const MAX_TASK_IDS = 1000

/** The client that opened a stream. */
interface StreamClient {
  client: ServedClient
  /** Sends a notification on the stream. */
  notify: (method: string, params: JsonObject) => Promise<void>
}

/** The streams on which clients of MCP 2026-07-28 learn of changes. */
export interface ChangeStreams {
  /** Answers `subscriptions/listen`: announces changes until the client or the server ends the stream. */
  listen(request: PeerRequest, from: StreamClient): Promise<JsonObject>
  /** Ends all streams, each with its result. */
  close(): Promise<void>
}

/** Creates the streams of a service. */
export function createChangeStreams(service: ToolService, followed: FollowedCalls): ChangeStreams {
  const { features } = service
  const closing = new AbortController()
  let open = 0

  return {
    listen: async (
      { id, params: { notifications }, signal },
      { client, notify },
    ): Promise<JsonObject> => {
      if (!isJsonObject(notifications))
        throw new RpcError(INVALID_PARAMS, 'Expected "notifications", an object.')
      if (open >= MAX_STREAMS)
        throw new RpcError(
          INTERNAL_ERROR,
          `The maximum of ${MAX_STREAMS} subscriptions is reached.`,
        )
      const _meta = { [SUBSCRIPTION]: id }
      const tell = (method: string, params: JsonObject): void =>
        void notify(method, { ...params, _meta }).catch(() => undefined)
      const asked = notifications['taskIds']
      if (asked !== undefined) requireTasks(client.capabilities)
      const taskIds = Array.isArray(asked)
        ? followed.findTasks(asked.slice(0, MAX_TASK_IDS), identifyClient(client))
        : []
      const honored: HonoredChanges = {
        ...honor(notifications, features?.capabilities() ?? {}),
        ...(taskIds.length > 0 && { taskIds }),
      }
      const subscribed = trackSubscriptions()
      const subscribe = async (uri: string): Promise<void> => {
        const request = { method: SUBSCRIBE, params: { uri }, signal }
        await features?.answer(request, client)
        subscribed.note(request)
      }
      open += 1
      try {
        // A resource that cannot be subscribed is not announced.
        await Promise.allSettled((honored.resourceSubscriptions ?? []).map(subscribe))
        await notify('notifications/subscriptions/acknowledged', { notifications: honored, _meta })
        if (Object.keys(honored).length === 0) return { _meta }
        const unwatch = [
          honored.toolsListChanged &&
            service.onDefinitionsChanged?.(() => tell('notifications/tools/list_changed', {})),
          features?.watch((method, params) => {
            if (isHonored(method, honored) && subscribed.concerns(method, params))
              tell(method, params)
          }, client),
          followed.watch(taskIds, (task) => tell(TASK_CHANGED, task)),
        ]
        await untilAborted(signal, closing.signal)
        for (const stop of unwatch) if (stop) stop()
        return { _meta }
      } finally {
        if (features) unsubscribe(features, subscribed.clear(), client)
        open -= 1
      }
    },
    close: async () => {
      closing.abort()
      // The results are still being written.
      await new Promise(setImmediate)
    },
  }
}

/** The changes that a stream announces. */
interface HonoredChanges {
  toolsListChanged?: true
  promptsListChanged?: true
  resourcesListChanged?: true
  resourceSubscriptions?: readonly string[]
  taskIds?: readonly string[]
}

/** Returns the changes that a client asks for and the server can announce. */
function honor(asked: JsonObject, { prompts, resources }: JsonObject): HonoredChanges {
  const uris: unknown = asked['resourceSubscriptions']
  const canSubscribe = isJsonObject(resources) && resources['subscribe'] === true
  return {
    ...(asked['toolsListChanged'] === true && { toolsListChanged: true }),
    ...(asked['promptsListChanged'] === true &&
      hasListChanged(prompts) && { promptsListChanged: true }),
    ...(asked['resourcesListChanged'] === true &&
      hasListChanged(resources) && { resourcesListChanged: true }),
    ...(Array.isArray(uris) &&
      canSubscribe && {
        resourceSubscriptions: uris
          .filter((uri) => typeof uri === 'string')
          .slice(0, MAX_SUBSCRIPTIONS),
      }),
  }
}

function hasListChanged(capability: unknown): boolean {
  return isJsonObject(capability) && capability['listChanged'] === true
}

function isHonored(method: string, honored: HonoredChanges): boolean {
  switch (method) {
    case 'notifications/prompts/list_changed':
      return honored.promptsListChanged === true
    case 'notifications/resources/list_changed':
      return honored.resourcesListChanged === true
    default:
      return method === UPDATED
  }
}

async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = (): void => resolve()
  for (const signal of signals) {
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  }
  await promise
  for (const signal of signals) signal.removeEventListener('abort', stop)
}
