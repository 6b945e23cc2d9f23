/* oxlint-disable unicorn/prefer-add-event-listener -- the SDKs know callbacks only */
import { isJsonObject } from '@toolblocks/protocol'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { boundService } from './bound-service.ts'
import { closeSessions } from './http/close-sessions.ts'
import { serveEitherEra } from './either-era.ts'
import { openModern, unsupportedVersion } from './modern/load-modern.ts'
import { createStdioWire } from './stdio-wire.ts'
import { type ServedSession, serveSession } from './serve-session.ts'
import type { Served, ToolService } from './tool-service.ts'

/**
 * Serves on this process's standard streams: nothing else may be written to its output. Over when the client closes the input.
 */
export async function serveStdio(given: ToolService): Promise<Served> {
  const service = boundService(given)
  const wire = createStdioWire(process.stdin, process.stdout)
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
