import { serveSession } from './up-to-2025-11-25/serve-session.ts'
import { isStatelessRequest, serveStateless } from './serve/serve-stateless.ts'
import { boundService, type RunningService, type ToolService } from './serve/tool-service.ts'
import { openPeer, type Peer } from './wire/peer.ts'
import { type MessageInput, type MessageOutput, wireOverStreams } from './wire/streams.ts'

/** The streams of `serveStdio`. */
export interface StdioOptions {
  /** Default: the standard input of this process. */
  readonly input?: MessageInput
  /** Default: the standard output of this process. */
  readonly output?: MessageOutput
}

/**
 * Serves on this process's standard streams, each request in its own protocol version. Other code must not write to the output. The service ends
 * when the client closes the input.
 */
export async function serveStdio(
  given: ToolService,
  { input = process.stdin, output = process.stdout }: StdioOptions = {},
): Promise<RunningService> {
  const service = boundService(given)
  const stateless = serveStateless(service)
  const answerSession = serveSession(service)
  const peer: Peer = openPeer(wireOverStreams(input, output), {
    onNotification: () => undefined,
    onRequest: async (request) => {
      if (!isStatelessRequest(request.params)) return await answerSession(request, peer)
      const { id: relatedTo } = request
      return await stateless.answer(request, {
        credentials: '',
        notify: async (method, params) => await peer.notify(method, params, { relatedTo }),
      })
    },
  })
  return {
    closed: peer.ended.then(() => undefined),
    close: async (options) => {
      await service.idle(options)
      await stateless.close()
      await peer.close()
    },
  }
}
