import { requireArguments } from '@toolblocks/protocol/json'
import { serveSession } from './up-to-2025-11-25/serve-session.ts'
import type { StateOptions } from './serve/sealed-state.ts'
import { isStatelessRequest, serveStateless } from './serve/serve-stateless.ts'
import { queueCalls, type RunningService, type ToolService } from './serve/tool-service.ts'
import { openPeer, type Peer } from './wire/peer.ts'
import { type MessageInput, type MessageOutput, wireOverStreams } from './wire/streams.ts'

/** Options of `serveStdio`. */
export interface StdioOptions extends StateOptions {
  /** Default: the standard input of this process. */
  readonly input?: MessageInput
  /** Default: the standard output of this process. */
  readonly output?: MessageOutput
}

/** Nobody but the program that started this process can write to it. */
const ONLY = { identity: '' }

/**
 * Serves on this process's standard streams, each request in its own protocol version. Other code must not write to the output. The service ends
 * when the client closes the input. Throws a `ServeError` if `stateKey` has another length.
 */
export async function serveStdio(
  given: ToolService,
  { input = process.stdin, output = process.stdout, ...states }: StdioOptions = {},
): Promise<RunningService> {
  requireArguments('serveStdio(given, …)', [given, 'object'])
  const service = queueCalls(given)
  const stateless = serveStateless(service, states)
  const session = serveSession(service, ONLY)
  const peer: Peer = openPeer(wireOverStreams(input, output), {
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
