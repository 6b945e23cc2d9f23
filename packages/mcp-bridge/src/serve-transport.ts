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
  given: ToolService,
  transport: MessageTransport,
  states: StateOptions = {},
): Promise<RunningService> {
  requireArguments('serveTransport(given, transport, …)', [given, 'object'], [transport, 'object'])
  if (isUsed(transport))
    throw new InvalidArgumentError(
      'serveTransport(given, transport, …): expected a transport that carries no connection yet, got one that was used; create one for each client',
    )
  return await serveWire(given, wireOverTransport(transport), states)
}
