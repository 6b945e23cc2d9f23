import { Readable } from 'node:stream'
import type { GatewayClient } from '@toolblocks/mcp-bridge/gateway'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'

/** What a client declares, and what it says of itself. */
export type FirstClient = Pick<GatewayClient, 'capabilities'> & {
  info?: JsonObject
  /** Whether it has begun a session, as clients up to MCP 2025-11-25 do. Default: it is not known, or it has none. */
  hasSession?: true
}

/** The first client, and the input with its first message. */
interface FirstMessage {
  client: FirstClient
  input: Readable
}

/** Nobody can be asked. */
export const NO_CLIENT: FirstClient = { capabilities: {} }

/** Anything can be asked, because the client has not said what it supports. It refuses what it does not. */
const UNKNOWN_CLIENT: FirstClient = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
}

/** Milliseconds until servers are connected although the client has said nothing. Clients write their first message at once. */
const WAIT_MS = 1000
/** A first message that is longer is not read here. */
const MAX_BYTES = 64 * 1024

const META = 'io.modelcontextprotocol'

/**
 * Reads what the client declares in its first message, before servers are connected: a server offers what its client supports. Returns the input as
 * it was before.
 */
export async function readFirstClient(input: Readable, signal: AbortSignal): Promise<FirstMessage> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const chunks: Buffer[] = []
  // Unlike `data`, these events leave the input as it was: the next listener of `data` starts it.
  const onReadable = (): void => {
    for (let chunk: unknown = input.read(); chunk instanceof Buffer; chunk = input.read())
      chunks.push(chunk)
    const read = Buffer.concat(chunks)
    if (read.includes('\n') || read.length > MAX_BYTES) resolve()
  }
  const end = (): void => resolve()
  const timer = setTimeout(end, WAIT_MS)
  input.on('readable', onReadable)
  for (const event of ['end', 'close', 'error']) input.once(event, end)
  signal.addEventListener('abort', end)
  await over
  clearTimeout(timer)
  input.off('readable', onReadable)
  for (const event of ['end', 'close', 'error']) input.off(event, end)
  signal.removeEventListener('abort', end)
  const read = Buffer.concat(chunks)
  const [line = ''] = read.toString('utf8').split('\n')
  const client = findClient(parseJson(line)) ?? UNKNOWN_CLIENT
  // An input that has ended says so only once.
  if (input.readableEnded) return { client, input: Readable.from([read]) }
  if (read.length > 0) input.unshift(read)
  return { client, input }
}

/** Returns what `initialize`, or any request of MCP 2026-07-28, says of its client. */
function findClient(message: unknown): FirstClient | undefined {
  const [first] = Array.isArray(message) ? message : [message]
  const params = isJsonObject(first) ? first['params'] : undefined
  if (!isJsonObject(params)) return undefined
  const { capabilities, clientInfo, _meta: meta } = params
  const envelope = isJsonObject(meta) ? meta : {}
  const declared = capabilities ?? envelope[`${META}/clientCapabilities`]
  const info = clientInfo ?? envelope[`${META}/clientInfo`]
  if (!isJsonObject(declared)) return undefined
  return {
    capabilities: declared,
    ...(isJsonObject(info) && { info }),
    ...(capabilities !== undefined && { hasSession: true }),
  }
}
