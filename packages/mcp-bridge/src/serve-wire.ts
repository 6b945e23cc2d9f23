import { serveSession } from './server/serve-session.ts'
import { openPeer, type Peer, type Wire } from './wire/peer.ts'
import { tracePeer, type TracedPlace } from './wire/trace-peer.ts'
import type { StateOptions } from './server/sealed-state.ts'
import { isStatelessRequest, serveStateless } from './server/serve-stateless.ts'
import { queueCalls, type RunningService, type ToolService } from './server/tool-service.ts'

/** Nobody but the other side of the wire can send messages. */
const ONLY = { identity: '' }

/** Serves the one client of a wire, each request in its own protocol version. */
export async function serveWire(
  toolService: ToolService,
  wire: Wire,
  states: StateOptions,
  transport?: TracedPlace['transport'],
): Promise<RunningService> {
  const service = queueCalls(toolService)
  const stateless = serveStateless(service, states)
  const session = serveSession(service, ONLY)
  const { telemetry } = service
  const peer: Peer = openPeer(wire, {
    traces: telemetry && tracePeer(telemetry, { side: 'server', ...(transport && { transport }) }),
    onNotification: session.onNotification,
    onRequest: async (request) => {
      if (!isStatelessRequest(request.params)) return await session.answer(request, peer)
      const { id: relatedTo } = request
      return await stateless.answer(request, {
        ...ONLY,
        notify: async (method, params) => await peer.notify(method, params, { relatedTo }),
      })
    },
  })
  // Nobody else can ask about the calls of this client.
  void peer.ended.then(stateless.drop)
  return {
    closed: peer.ended.then(() => undefined),
    close: async (options) => {
      stateless.drop()
      await service.finish(options)
      await stateless.close()
      await peer.close()
    },
  }
}
