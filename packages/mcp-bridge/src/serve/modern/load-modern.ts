import type { JSONRPCErrorResponse } from '@modelcontextprotocol/sdk/types.js'
import { explainMissingPeer, isJsonObject } from '@toolblocks/protocol'
import type { ServedSession } from '../serve-session.ts'
import type { ToolService } from '../tool-service.ts'
import { trackRunning } from '../track-running.ts'
import type { ModernService } from './modern-server.ts'
import { createStateSealer } from './sealed-state.ts'
import { UNSUPPORTED_VERSION } from '../../wire/message.ts'

const PEER = '@modelcontextprotocol/server'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const MODERN_SINCE = '2026-07-28'

/** Whether a client speaks as those of the modern era do: every request says the version. */
export function isModernMessage(message: unknown): boolean {
  const params = isJsonObject(message) ? message['params'] : undefined
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && Object.hasOwn(meta, VERSION_KEY)
}

/** The same, where a header says the version. */
export function isModernVersion(version: unknown): boolean {
  return typeof version === 'string' && version >= MODERN_SINCE
}

/** What serves the modern era, as a session that can be closed. */
export interface ModernSession<Serving> extends ServedSession {
  serving: Serving
}

/**
 * Opens what serves the modern era once somebody speaks it. What speaks it is an optional peer: `undefined` without it.
 */
export async function openModern<Serving extends { close(): Promise<void> }>(
  service: ToolService,
  stateKey: Uint8Array | undefined,
  open: (modern: ModernService) => Promise<Serving>,
): Promise<ModernSession<Serving> | undefined> {
  const running = trackRunning()
  try {
    const serving = await open({ service, running, sealer: createStateSealer({ key: stateKey }) })
    return { serving, idle: running.idle, close: async () => await serving.close() }
  } catch (error) {
    if (explainMissingPeer(error, { entry: MODERN_SINCE, peer: PEER }) === error) throw error
    return undefined
  }
}

/** What a client of the modern era is told where it is not served: it can go on with another version. */
export function unsupportedVersion(
  message: unknown,
  supported: readonly string[],
): JSONRPCErrorResponse {
  const id = isJsonObject(message) ? message['id'] : undefined
  return {
    jsonrpc: '2.0',
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
    error: {
      code: UNSUPPORTED_VERSION,
      message: `Unsupported protocol version: ${MODERN_SINCE} is served with the package ${PEER}, which is not installed.`,
      data: { supported, requested: MODERN_SINCE },
    },
  }
}
