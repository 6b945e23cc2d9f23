import { InvalidArgumentError, requireArguments } from '@toolblocks/protocol/internal'
import type { StateOptions } from './server/sealed-state.ts'
import { serveWire } from './serve-wire.ts'
import type { RunningService, ToolService } from './server/tool-service.ts'
import { isUsed, type MessageTransport, wireOverTransport } from './wire/transport.ts'

/**
 * Serves on a transport of MCP's official SDKs for TypeScript (in memory, WebSocket, …), or one of your own: one client, each request in its own protocol
 * version. The service ends when the transport is closed. Throws a `ServeError` if `stateKey` has another length.
 */
export async function serveTransport(
  service: ToolService,
  transport: MessageTransport,
  states: StateOptions = {},
): Promise<RunningService> {
  requireArguments(
    'serveTransport(service, transport, …)',
    [service, 'object'],
    [transport, 'object'],
  )
  if (isUsed(transport))
    throw new InvalidArgumentError(
      'serveTransport(service, transport, …): expected a transport that carries no connection yet, got one that was used; create one for each client',
    )
  return await serveWire(service, wireOverTransport(transport), states)
}
