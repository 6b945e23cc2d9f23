import { requireArguments } from '@toolblocks/protocol/internal'
import type { StateOptions } from './server/sealed-state.ts'
import { serveWire } from './serve-wire.ts'
import type { RunningService, ToolService } from './server/tool-service.ts'
import { type MessageInput, type MessageOutput, wireOverStreams } from './wire/streams.ts'

/** Options of `serveStdio`. */
export interface StdioOptions extends StateOptions {
  /** Default: the standard input of this process. */
  readonly input?: MessageInput
  /** Default: the standard output of this process. */
  readonly output?: MessageOutput
}

/**
 * Serves on this process's standard streams, each request in its own protocol version. Other code must not write to the output. The service ends
 * when the client closes the input. Throws a `ServeError` if `stateKey` has another length.
 */
export async function serveStdio(
  service: ToolService,
  { input = process.stdin, output = process.stdout, ...states }: StdioOptions = {},
): Promise<RunningService> {
  requireArguments('serveStdio(service, …)', [service, 'object'])
  return await serveWire(service, wireOverStreams(input, output), states, 'pipe')
}
