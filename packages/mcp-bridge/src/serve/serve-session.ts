/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  Request,
  RequestId,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import type { Progress } from '@toolblocks/protocol'
import { RpcError } from '../wire/message.ts'
import { toStrictDefinition } from '../results/strict-definition.ts'
import { answerCall, answerRead } from './answer-request.ts'
import { numberProgress } from './number-progress.ts'
import { askClient } from './questions/ask-client.ts'
import { modesOf } from './questions/question-elicitation.ts'
import type { ToolService } from './tool-service.ts'
import { trackRunning } from './track-running.ts'
import { duplicateId, INVALID_REQUEST, METHOD_NOT_FOUND } from '../wire/message.ts'

type Params = NonNullable<Request['params']>
type SendNotification = RequestHandlerExtra<ServerRequest, ServerNotification>['sendNotification']

/** One client that is being served. */
export interface ServedSession {
  /** Settles when no call of this client runs. */
  idle(): Promise<void>
  /** Ends the connection; what runs is aborted. */
  close(): Promise<void>
}

/** A client of the legacy era, whose requests have ids of its own. */
export interface LegacySession extends ServedSession {
  /** Aborts what runs for these requests: nobody can be given their answers any more. */
  abandon(ids: readonly RequestId[]): void
}

/** Serves one client over a transport. */
export async function serveSession(
  service: ToolService,
  transport: Transport,
  onClose: () => void,
): Promise<LegacySession> {
  const running = trackRunning()
  const requests = new Map<RequestId, AbortController>()
  const ended = new AbortController()
  const server = new Server(
    { name: service.name, version: service.version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(service.readResource && { resources: {} }),
      },
      ...(service.instructions !== undefined && { instructions: service.instructions }),
    },
  )
  const unwatch = service.onDefinitionsChanged?.(
    () => void server.sendToolListChanged().catch(() => undefined),
  )
  server.onclose = () => {
    unwatch?.()
    ended.abort()
    onClose()
  }
  // Without a handler of its own, a request and its result go past the SDK's schemas, which drop fields.
  server.fallbackRequestHandler = async (
    { method, params = {} },
    { signal, requestId, sendNotification },
  ) => {
    if (requests.has(requestId)) throw new RpcError(INVALID_REQUEST, duplicateId(requestId))
    const abandoned = new AbortController()
    const ending = AbortSignal.any([signal, ended.signal, abandoned.signal])
    requests.set(requestId, abandoned)
    try {
      return await answer(method, params, { ending, requestId, sendNotification })
    } finally {
      requests.delete(requestId)
    }
  }

  async function answer(
    method: string,
    params: Params,
    {
      ending,
      requestId,
      sendNotification,
    }: { ending: AbortSignal; requestId: RequestId; sendNotification: SendNotification },
  ): Promise<Record<string, unknown>> {
    switch (method) {
      case 'tools/list':
        return { tools: service.definitions().map(toStrictDefinition) }
      case 'tools/call': {
        const token = params['_meta']?.progressToken
        const numbered = numberProgress()
        const report = async (progress: Progress): Promise<void> =>
          await sendNotification({
            method: 'notifications/progress',
            params: { ...numbered(progress), progressToken: token ?? '' },
          })
        const modes = modesOf(server.getClientCapabilities())
        const asks = modes.form || modes.url
        return await running.track(
          answerCall(service, params, {
            signal: ending,
            root: service.root,
            ...(asks && { ask: { user: askClient(server, modes, requestId) } }),
            ...(token !== undefined && {
              onProgress: (progress) => void report(progress).catch(() => undefined),
            }),
          }),
        )
      }
      case 'resources/read':
        return await running.track(answerRead(service, params, ending))
      case 'resources/list':
        if (service.readResource) return { resources: [] }
    }
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  }

  await server.connect(transport)
  return {
    idle: running.idle,
    abandon: (ids) => ids.forEach((id) => requests.get(id)?.abort()),
    close: async () => await server.close(),
  }
}
