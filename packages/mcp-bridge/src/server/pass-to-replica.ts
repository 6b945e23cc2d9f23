import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
// oxlint-disable-next-line no-restricted-imports -- a replica is no other server: its answer is passed on as it comes, and it must be known whether it was sent
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import { type ClientIdentity, readIdentity } from '../identity/client-identity.ts'
import type { HttpExchange } from './stateless-http.ts'
import type { Replica } from './join-replicas.ts'

/** The header in which one replica proves to another that it has checked a request. */
export const PASSED = 'toolblocks-passed'

/** What became of a request that was passed to another replica. */
export type PassOutcome =
  /** Its answer was passed back. */
  | 'answered'
  /** The other replica has not received it. */
  | 'not-sent'
  /** The other replica does not hold the session. */
  | 'misdirected'
  /** The connection ended before the end of the answer: it may have been executed. */
  | 'cut'

/** The status of a replica for a request of a session that it does not hold. */
export const MISDIRECTED = 421
/** Milliseconds between the clocks of two replicas, and of the way. */
const TOLERANCE_MS = 60_000
/** Milliseconds in which another replica accepts a connection. */
const CONNECT_MS = 3000
/** Headers that describe the connection of the client, and its credentials, which were checked. */
const OWN_HEADERS = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'origin',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  PASSED,
])
/** Headers of an answer that are passed back. */
const ANSWER_HEADERS = [
  'allow',
  'cache-control',
  'content-type',
  'mcp-session-id',
  'retry-after',
  'x-accel-buffering',
]

/** Derives the key with which replicas prove that they know the key of the service. */
export function derivePassKey(key: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update('toolblocks: requests between replicas').digest()
}

/** Writes the header of a request that is passed to a replica. */
export function writePass(
  key: Uint8Array,
  to: string,
  { identity, identified }: Pick<HttpExchange, 'identity' | 'identified'>,
): string {
  const claims = { to, identity, ...(identified && { identified }), at: Date.now() }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${payload}.${sign(key, payload)}`
}

/** What a header of a request that was passed says. */
export type Pass =
  | { kind: 'admitted'; identity: string; identified?: ClientIdentity }
  /** It is for a replica that had the same address. */
  | { kind: 'misdirected' }
  /** It was not written by a replica that knows the key, or too long ago. */
  | { kind: 'refused' }

/** Reads the header of a request that another replica has passed on to this one. */
export function readPass(key: Uint8Array, own: string, header: string): Pass {
  const [payload = '', signature = ''] = header.split('.')
  const expected = Buffer.from(sign(key, payload))
  const got = Buffer.from(signature)
  if (expected.length !== got.length || !timingSafeEqual(expected, got)) return { kind: 'refused' }
  const value = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
  const { to, identity, identified: written, at }: JsonObject = isJsonObject(value) ? value : {}
  if (typeof identity !== 'string' || typeof at !== 'number') return { kind: 'refused' }
  if (Math.abs(Date.now() - at) > TOLERANCE_MS) return { kind: 'refused' }
  const identified = readIdentity(written)
  if (written !== undefined && !identified) return { kind: 'refused' }
  return to === own
    ? { kind: 'admitted', identity, ...(identified && { identified }) }
    : { kind: 'misdirected' }
}

function sign(key: Uint8Array, payload: string): string {
  return createHmac('sha256', key).update(payload).digest('base64url')
}

/**
 * Passes a request on to another replica, and its answer back as it comes. Each request has a connection of its own: on one that is used again, it
 * would not be known whether a request was received.
 */
export async function passToReplica(
  { id, address }: Replica,
  { request, response, body, identity, identified }: HttpExchange,
  key: Uint8Array,
): Promise<PassOutcome> {
  const url = new URL('/mcp', address)
  const text = body === undefined ? undefined : JSON.stringify(body)
  const passed = requestHttp(url, {
    method: request.method,
    agent: false,
    headers: {
      ...Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name)),
      ),
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      [PASSED]: writePass(key, id, { identity, ...(identified && { identified }) }),
    },
  })
  const gone = (): void => void passed.destroy()
  response.once('close', gone)
  const isConnected = await connect(passed)
  if (!isConnected) {
    response.off('close', gone)
    return response.destroyed ? 'answered' : 'not-sent'
  }
  passed.end(text)
  const answer = await getAnswer(passed)
  if (!answer) return response.destroyed ? 'answered' : 'cut'
  if (answer.statusCode === MISDIRECTED) {
    response.off('close', gone)
    answer.resume()
    return 'misdirected'
  }
  const headers = ANSWER_HEADERS.flatMap((name) => {
    const value = answer.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers))
  response.flushHeaders()
  return (await passBack(answer, response)) || response.destroyed ? 'answered' : 'cut'
}

async function connect(passed: ReturnType<typeof requestHttp>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => void passed.destroy(new Error('no connection')), CONNECT_MS)
  passed.on('error', () => resolve(false))
  passed.once('socket', (socket) => {
    if (!socket.connecting) resolve(true)
    socket.once('connect', () => resolve(true))
  })
  const isConnected = await promise
  clearTimeout(timer)
  return isConnected
}

async function getAnswer(
  passed: ReturnType<typeof requestHttp>,
): Promise<IncomingMessage | undefined> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | undefined>()
  passed.once('response', resolve)
  passed.once('close', () => resolve(undefined))
  return await promise
}

/** Resolves to whether the answer was complete. */
async function passBack(
  answer: IncomingMessage,
  response: HttpExchange['response'],
): Promise<boolean> {
  try {
    for await (const chunk of answer) {
      if (response.destroyed) return true
      if (!response.write(chunk))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
  } catch {
    return false
  }
  if (!answer.complete) return false
  response.end()
  return true
}
