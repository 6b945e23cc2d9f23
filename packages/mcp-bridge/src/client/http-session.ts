import { setTimeout as pause } from 'node:timers/promises'
import type { MessageError } from '../wire/message.ts'
import {
  EVENTS,
  type HttpAccess,
  type HttpProtocol,
  type StreamReading,
  type StreamEnd,
} from '../wire/http.ts'
import type { Loss } from '../wire/peer.ts'

/** How many times a missing stream is requested again, and the milliseconds before the first time if the server does not say. */
const MAX_TRIES = 2
const FIRST_PAUSE_MS = 1000
const PAUSE_GROWTH = 1.5
/** How many times a stream is opened again as soon as the server says, and the least pause after that. */
const MAX_QUICK = 5
const MIN_PAUSE_MS = 1000
/** Milliseconds in which a server opens or refuses a stream: some do not answer until they have something to send. */
const OPEN_MS = 1000
/** The longest pause. */
const MAX_PAUSE_MS = 3_600_000

/** Streamable HTTP up to 2025-11-25: a session, a stream for notifications of the server, and streams that are resumed. */
export type HttpSession = HttpProtocol & {
  /** Sets the version that `initialize` agreed on; it is sent with every later message. */
  agree(version: string): void
  /**
   * Opens a stream for messages of the server that answer no request. Many servers offer none. If the stream cannot be resumed, the connection
   * ends; requests whose server still answers keep their own streams. Settles when the server has opened or refused the stream, or has not answered for a second.
   */
  hearUnasked(access: HttpAccess): Promise<void>
}

/** Creates a session for one connection. */
export function createHttpSession(): HttpSession {
  let id: string | null = null
  let agreed: string | undefined
  return {
    getHeaders: () => ({
      ...(id !== null && { 'mcp-session-id': id }),
      ...(agreed !== undefined && { 'mcp-protocol-version': agreed }),
    }),
    onResponse: ({ headers }) => {
      id = headers.get('mcp-session-id') ?? id
    },
    explainRefusal: (status, refusal) =>
      id !== null && isWithoutSession(status, refusal) ? SESSION_EXPIRED : undefined,
    resume,
    agree: (version) => {
      agreed = version
    },
    hearUnasked: async (access) => {
      const opening = openStream(access, {})
      void receiveUnrequested(opening, access)
      const late = new AbortController()
      await Promise.race([
        opening,
        pause(OPEN_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined),
      ])
      late.abort()
    },
    leave: async ({ fetch }) => {
      if (id === null) return
      const response = await fetch({ method: 'DELETE' })
      await response.body?.cancel()
    },
  }
}

/** The status of the specification for a session that the server does not know. */
const FORGOTTEN = 404
const SESSION_EXPIRED: Loss = {
  kind: 'session-expired',
  reason: 'the server has forgotten the session',
  maybeExecuted: false,
  transient: true,
}

/** Statuses of the 4xx class that say something else: a login, a permission, a time, a limit. */
const OF_OTHERS: ReadonlySet<number> = new Set([401, 403, 407, 408, 429])

/** The codes that an implementation chooses itself, such as -32000 of the official SDK. */
const isOwnCode = (code: number): boolean => code >= -32_099 && code <= -32_000

/**
 * Whether a server refused a message because it does not know the session. The specification has the status 404 for that. Servers that were restarted
 * also answer with 400 and a text about the session or about `initialize`.
 */
function isWithoutSession(
  status: number,
  { text, error }: { text: string; error: MessageError | undefined },
): boolean {
  if (status === FORGOTTEN) return true
  if (status < 400 || status >= 500 || OF_OTHERS.has(status)) return false
  return (!error || isOwnCode(error.code)) && /session|initiali[sz]ed/i.test(error?.message ?? text)
}

async function receiveUnrequested(
  opening: Promise<OpenedStream>,
  access: HttpAccess,
): Promise<void> {
  const first = await opening
  if (!('stream' in first)) return
  const { refusedWith } = await resume(await access.read(first.stream), access)
  if (access.ended.aborted) return
  const reason = 'the connection was lost'
  if (refusedWith === undefined)
    access.end({ kind: 'lost', reason, maybeExecuted: true, transient: true })
  else if (refusedWith === FORGOTTEN) access.retire(SESSION_EXPIRED)
  else access.retire({ kind: 'lost', reason, maybeExecuted: false, transient: true })
}

async function resume(streamEnd: StreamEnd, reading: StreamReading): Promise<StreamEnd> {
  let end = streamEnd
  let retryMs = end.retryMs
  let opened = 0
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (end.isAnswered || end.loss?.kind === 'too-large') break
    const wait = retryMs ?? FIRST_PAUSE_MS * PAUSE_GROWTH ** tries
    // A server may end each stream at once, and a longer time is none for a timer.
    const least = opened < MAX_QUICK ? 0 : MIN_PAUSE_MS
    await pause(Math.min(Math.max(wait, least), MAX_PAUSE_MS), undefined, {
      signal: reading.ended,
    }).catch(() => undefined)
    if (reading.ended.aborted) break
    const { lastEventId } = end
    const answer = await openStream(
      reading,
      lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    )
    if (!('stream' in answer)) {
      end = { ...end, refusedWith: answer.refusedWith }
      if (answer.refusedWith === FORGOTTEN) break
      continue
    }
    opened += 1
    const next = await reading.read(answer.stream)
    end = { ...(lastEventId !== undefined && { lastEventId }), ...next }
    retryMs = end.retryMs ?? retryMs
    tries = -1
  }
  return end
}

/** A stream, or the status with which the server refused it; `undefined`: it did not answer. */
type OpenedStream = { stream: Response } | { refusedWith: number | undefined }

async function openStream(
  { fetch }: Pick<StreamReading, 'fetch'>,
  headers: Record<string, string>,
): Promise<OpenedStream> {
  try {
    const response = await fetch({ method: 'GET', headers: { accept: EVENTS, ...headers } })
    if (response.ok && response.headers.get('content-type')?.includes(EVENTS))
      return { stream: response }
    await response.body?.cancel()
    return { refusedWith: response.status }
  } catch {
    // Repeated or abandoned, like a refused one.
    return { refusedWith: undefined }
  }
}
