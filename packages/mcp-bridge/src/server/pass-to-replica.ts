import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
// oxlint-disable-next-line no-restricted-imports -- a replica is no other server: its answer is passed on as it comes, and it must be known whether it was sent
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { parseJson } from '@toolblocks/protocol/internal'
import { type ClientIdentity, readIdentity } from '../identity/client-identity.ts'
import { digest } from './sealed-state.ts'
import { EVENTS } from './event-stream.ts'
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
  /** Another process answers at the address. */
  | 'replaced'
  /** The connection ended before the end of the answer: it may have been executed. */
  | 'cut'
  /** The connection ended before the call had begun, and it will not begin there. */
  | 'taken-back'

/** The status of a replica for a request of a session that it does not hold. */
export const MISDIRECTED = 421
/** Milliseconds between the clocks of two replicas, and of the way. */
const TOLERANCE_MS = 60_000
/** Milliseconds in which another replica accepts a connection. */
const CONNECT_MS = 3000
/** Headers that are passed on: those that MCP defines. Credentials are not among them. */
const PASSED_HEADERS = /^(?:accept|content-type|last-event-id|mcp-.*)$/
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

/** What a request that is passed on is: the header is valid for nothing else. */
interface PassedRequest {
  method: string | undefined
  session: unknown
  body: unknown
}

/** Writes the header of a request that is passed to a replica. `nonce`: the other replica proves with it that it knows the key. */
export function writePass(
  key: Uint8Array,
  claims: { to: string; nonce: string; isMarked?: boolean } & Pick<
    HttpExchange,
    'identity' | 'identified' | 'address'
  >,
  request: PassedRequest,
): string {
  const about = { ...claims, at: Date.now(), request: digest(toJson(request)) }
  const payload = Buffer.from(JSON.stringify(about)).toString('base64url')
  return `${payload}.${sign(key, payload)}`
}

function toJson({ method = '', session, body }: PassedRequest): unknown {
  return [method, session ?? null, body ?? null]
}

/** What a header of a request that was passed says. */
export type Pass =
  | {
      kind: 'admitted'
      identity: string
      identified?: ClientIdentity
      address?: string
      /** Identifies a call that must be marked before its first effect. */
      call?: string
      /** The header of the answer, with which this replica proves that it knows the key. */
      proof: string
      /** Whether the rest of the request is the one that was passed on. */
      isFor(request: PassedRequest): boolean
    }
  /** It is for a replica that had the same address. */
  | { kind: 'misdirected' }
  /** It was not written by a replica that knows the key, was used before, or was written too long ago. */
  | { kind: 'refused' }

/** Reads headers of requests that other replicas have passed on to this one. Each is valid once. */
export function createPassReader(key: Uint8Array): (own: string, header: string) => Pass {
  /** When each was used. The oldest come first. */
  const used = new Map<string, number>()
  return (own, header) => {
    const [payload = '', signature = ''] = header.split('.')
    if (!isEqual(signature, sign(key, payload))) return { kind: 'refused' }
    const value = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
    const claims: JsonObject = isJsonObject(value) ? value : {}
    const {
      to,
      identity,
      identified: written,
      address,
      isMarked,
      nonce,
      at: time,
      request,
    } = claims
    const identified = readIdentity(written)
    if (written !== undefined && !identified) return { kind: 'refused' }
    if (typeof identity !== 'string' || typeof nonce !== 'string' || typeof time !== 'number')
      return { kind: 'refused' }
    const now = Date.now()
    if (Math.abs(now - time) > TOLERANCE_MS) return { kind: 'refused' }
    if (to !== own) return { kind: 'misdirected' }
    for (const [each, usedAt] of used) {
      if (now - usedAt < TOLERANCE_MS * 2) break
      used.delete(each)
    }
    if (used.has(nonce)) return { kind: 'refused' }
    used.set(nonce, now)
    return {
      kind: 'admitted',
      identity,
      ...(identified && { identified }),
      ...(typeof address === 'string' && { address }),
      ...(isMarked === true && { call: nonce }),
      proof: prove(key, nonce),
      isFor: (got) => digest(toJson(got)) === request,
    }
  }
}

/** The header of an answer with which a replica proves that it knows the key. */
export const PROOF = 'toolblocks-proof'

function prove(key: Uint8Array, nonce: string): string {
  return sign(key, `answer ${nonce}`)
}

function isEqual(got: string, expected: string): boolean {
  const [one, other] = [Buffer.from(got), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
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
  { request, response, body, identity, identified, address: client }: HttpExchange,
  {
    key,
    gone,
    takeBack,
  }: {
    key: Uint8Array
    gone: AbortSignal
    /** Takes the call back; resolves to whether it had not begun. Absent: the other replica does not mark it. */
    takeBack?: ((call: string) => Promise<boolean>) | undefined
  },
): Promise<PassOutcome> {
  const url = new URL('/mcp', address)
  const { method, headers } = request
  const nonce = randomBytes(16).toString('base64url')
  const about = { method, session: headers['mcp-session-id'], body }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const passed = requestHttp(url, {
    method,
    agent: false,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => PASSED_HEADERS.test(name))),
      ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
      [PASSED]: writePass(
        key,
        {
          to: id,
          nonce,
          identity,
          ...(identified && { identified }),
          address: client,
          isMarked: takeBack !== undefined,
        },
        about,
      ),
    },
  })
  const stop = (): void => void passed.destroy()
  response.once('close', stop)
  gone.addEventListener('abort', stop)
  const isConnected = await connect(passed)
  if (!isConnected) {
    response.off('close', stop)
    gone.removeEventListener('abort', stop)
    return response.destroyed ? 'answered' : 'not-sent'
  }
  passed.end(text)
  const answer = await getAnswer(passed)
  if (!answer) {
    gone.removeEventListener('abort', stop)
    return response.destroyed ? 'answered' : await getCut()
  }
  const { [PROOF]: proof = '' } = answer.headers
  const isProved = isEqual(String(proof), prove(key, nonce))
  if (!isProved || answer.statusCode === MISDIRECTED) {
    response.off('close', stop)
    gone.removeEventListener('abort', stop)
    answer.resume()
    // It was not accepted: the clocks differ.
    if (!isProved && answer.statusCode === 403) return 'misdirected'
    // Another program has the address, or another replica, and has executed nothing.
    return isProved ? 'misdirected' : 'replaced'
  }
  const isWhole = response.headersSent
    ? await passOn(answer, response)
    : await passBack(answer, response)
  gone.removeEventListener('abort', stop)
  return isWhole || response.destroyed ? 'answered' : await getCut()

  async function getCut(): Promise<'cut' | 'taken-back'> {
    response.off('close', stop)
    return (await takeBack?.(nonce)) ? 'taken-back' : 'cut'
  }
}

/** Whether something accepts connections at the address of a replica. */
export async function isReachable({ address }: Pick<Replica, 'address'>): Promise<boolean> {
  const passed = requestHttp(new URL('/healthz', address), { agent: false })
  const isConnected = await connect(passed)
  passed.destroy()
  return isConnected
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

/** Passes an answer on to a client that has received the beginning of an earlier one, a stream of events. Resolves to whether the answer was complete. */
async function passOn(
  answer: IncomingMessage,
  response: HttpExchange['response'],
): Promise<boolean> {
  // An event may have been cut.
  response.write('\n\n')
  if (answer.headers['content-type'] === EVENTS) return await passBody(answer, response)
  const chunks: Buffer[] = []
  try {
    for await (const chunk of answer) chunks.push(chunk)
  } catch {
    return false
  }
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replaceAll(/\s*\n\s*/g, ' ')
  response.end(`event: message\ndata: ${text}\n\n`)
  return answer.complete
}

/** Resolves to whether the answer was complete. */
async function passBack(
  answer: IncomingMessage,
  response: HttpExchange['response'],
): Promise<boolean> {
  for (const name of ANSWER_HEADERS) {
    const value = answer.headers[name]
    if (value !== undefined) response.setHeader(name, value)
  }
  response.writeHead(answer.statusCode ?? 502)
  response.flushHeaders()
  return await passBody(answer, response)
}

async function passBody(
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
