import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parseJson, scanJson, MAX_JSON_DEPTH, MAX_JSON_NODES } from '@toolblocks/protocol/internal'

/** The conditions under which a request is answered. */
interface Admission {
  /** `host` or `host:port`, in lower case, as clients write them. */
  hosts: ReadonlySet<string>
  /** Complete origins of pages that may send requests: scheme, host and port. */
  origins: ReadonlySet<string>
  /** Absent: other code checks who the client is. */
  token: string | undefined
}

/** Returns the conditions for these names of the server: `name` stands for this port of it; `name:port` and `https://name:port` for exactly that. */
export function admit(
  names: readonly string[],
  { port, token }: { port: number; token: string | undefined },
): Admission {
  const hosts = new Set<string>()
  const origins = new Set<string>()
  for (const name of names) {
    const isOrigin = name.includes('://')
    const url = URL.parse(isOrigin ? name : `http://${name}`)
    if (!url) continue
    const isBare = !isOrigin && url.port === ''
    if (isBare) url.port = String(port)
    hosts.add(url.host)
    // Without its port if a proxy omits it or it is the default one.
    if (isBare) hosts.add(url.hostname)
    origins.add(url.origin)
  }
  return { hosts, origins, token }
}

/** Why a request is refused. */
export interface RequestRefusal {
  status: number
  message: string
  /** The code of the error in the body, if MCP or JSON-RPC define one. */
  code?: number
  /** The header `WWW-Authenticate`. */
  challenge?: string
}

/** Refuses web pages that reach this address by their own host name, and clients without the token. */
export function checkRequest(
  { headers }: IncomingMessage,
  { hosts, origins, token }: Admission,
): RequestRefusal | undefined {
  const { host = '', origin, authorization = '' } = headers
  if (!hosts.has(host.toLowerCase()))
    return { status: 403, message: `Host ${JSON.stringify(host)} is not served here.` }
  if (origin !== undefined && !origins.has(URL.parse(origin)?.origin ?? ''))
    return { status: 403, message: `Origin ${JSON.stringify(origin)} may not call this server.` }
  if (token !== undefined && !isSame(authorization, `Bearer ${token}`))
    return {
      status: 401,
      message: 'Expected the header "Authorization: Bearer TOKEN" with the token of this server.',
    }
  return undefined
}

/** Returns the origin at which a request that was not refused has reached this server: https, if a proxy has this host name. */
export function findOrigin(
  { headers: { host = '' } }: IncomingMessage,
  { origins }: Pick<Admission, 'origins'>,
): string {
  const name = host.toLowerCase()
  const secure = `https://${name}`
  return origins.has(secure) ? secure : `http://${name}`
}

/** Takes the same time for every wrong token. */
function isSame(token: string, expected: string): boolean {
  return timingSafeEqual(hash(token), hash(expected))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Whether the headers of a body say that it is JSON. */
export function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

/** The limits of a body. */
interface BodyBudget {
  bytes: number
  /** Milliseconds until its last byte. */
  ms: number
}

/** How much of a body that is too large is read and dropped, as a multiple of the limit. */
const READ_ON = 8

/** Reads a body as JSON, unless it is beyond its limits. */
export async function readRequestBody(
  request: IncomingMessage,
  { bytes: most, ms }: BodyBudget,
): Promise<{ body: unknown } | RequestRefusal> {
  const chunks: Buffer[] = []
  let bytes = 0
  let isLate = false
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    isLate = true
    resolve(undefined)
  }, ms)
  const incoming = request[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([incoming.next(), late])
      if (!next || next.done) break
      const part: Buffer = next.value
      bytes += part.length
      // Continue to read, or the client could not read the refusal; but not for ever.
      if (bytes > most * READ_ON) break
      if (bytes <= most) chunks.push(part)
    }
  } finally {
    clearTimeout(timer)
  }
  if (bytes > most) return { status: 413, message: `A request may have at most ${most} bytes.` }
  if (isLate) return { status: 408, message: `A request may take at most ${ms / 1000} s.` }
  const text = Buffer.concat(chunks, bytes).toString('utf8')
  if (scanJson(text).exceeds)
    return {
      status: 400,
      message: `A request may have at most ${MAX_JSON_DEPTH} levels and ${MAX_JSON_NODES} values.`,
    }
  const body = parseJson(text)
  return body === undefined ? { status: 400, message: 'Expected JSON.' } : { body }
}
