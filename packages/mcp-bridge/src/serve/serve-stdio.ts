/* oxlint-disable unicorn/prefer-add-event-listener -- the SDKs know callbacks only */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { isJsonObject } from '@toolblocks/protocol'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { MAX_LINE_BYTES } from '../connection/line-reader.ts'
import { closeSessions } from './http/close-sessions.ts'
import { serveEitherEra } from './either-era.ts'
import { openModern, unsupportedVersion } from './modern/load-modern.ts'
import { type ServedSession, serveSession } from './serve-session.ts'
import type { Served, ToolService } from './tool-service.ts'

/**
 * Serves on this process's standard streams: nothing else may be written to its output. Over when the client closes the input.
 */
export async function serveStdio(service: ToolService): Promise<Served> {
  const wire = new StdioServerTransport(process.stdin, process.stdout, {
    maxBufferSize: MAX_LINE_BYTES,
  })
  const { promise: closed, resolve: finish } = Promise.withResolvers<void>()
  const sessions: ServedSession[] = []
  await serveEitherEra(wire, {
    legacy: async (transport) => {
      sessions.push(await serveSession(service, transport, () => undefined))
    },
    modern: async (transport) => {
      const session = await openModern(service, undefined, async (modern) => {
        const { openModernConnection } = await import('./modern/modern-stdio.ts')
        return openModernConnection(modern, transport)
      })
      if (session) sessions.push(session)
      else
        transport.onmessage = (message) => {
          if (isJsonObject(message) && 'id' in message)
            void wire.send(unsupportedVersion(message, SUPPORTED_PROTOCOL_VERSIONS))
        }
    },
    onClose: finish,
  })
  process.stdin.once('end', () => void wire.close())
  process.stdout.once('error', () => void wire.close())
  return {
    closed,
    close: async (options) => {
      await closeSessions(sessions, options)
      await wire.close()
    },
  }
}
