import { setTimeout as pause } from 'node:timers/promises'
import { explainFetch } from '../wire/explain-loss.ts'
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
/** How many times a stream is requested again that a server has refused for a moment, before it has opened one: in about two minutes. */
const MAX_FIRST_TRIES = 10

/** Streamable HTTP up to 2025-11-25: a session, a stream for notifications of the server, and streams that are resumed. */
export type HttpSession = HttpProtocol & {
  /** Sets the version that `initialize` agreed on; it is sent with every later message. */
  agree(version: string): void
  /** Settles when the stream of `hearUnasked` is lost. If the server still answers, requests that wait keep their own streams. */
  readonly retired: Promise<Loss>
  /**
   * Opens a stream for messages of the server that answer no request. Many servers offer none. If the stream cannot be resumed, the connection is
   * retired; if the server cannot be reached, the requests that wait end, too. Settles when the server has opened or refused the stream, or has not answered for a second.
   */
  hearUnasked(access: HttpAccess): Promise<void>
}

/** Creates a session for one connection. */
export function createHttpSession(): HttpSession {
  let id: string | null = null
  let agreed: string | undefined
  const { promise: retired, resolve: retire } = Promise.withResolvers<Loss>()
  return {
    retired,
    getHeaders: () => ({
      ...(id !== null && { 'mcp-session-id': id }),
      ...(agreed !== undefined && { 'mcp-protocol-version': agreed }),
    }),
    onResponse: ({ headers }) => {
      id = headers.get('mcp-session-id') ?? id
    },
    explainRefusal: (status, refusal) =>
      id !== null && isWithoutSession(status, refusal) ? FORGOTTEN : undefined,
    resume,
    agree: (version) => {
      agreed = version
    },
    hearUnasked: async (access) => {
      const opening = openStream(access, {})
      void receiveUnrequested(opening, access).then((loss) => loss && retire(loss))
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

const FORGOTTEN: Loss = {
  kind: 'session-expired',
  reason: 'the server has forgotten the session',
  maybeExecuted: false,
  transient: true,
}

/** The status of the specification for a session that the server does not know. */
const NOT_FOUND = 404
/** Other statuses with which servers refuse one. */
const OTHER_STATUSES: ReadonlySet<number> = new Set([400, 410, 422])

/** What servers say of a session that they do not know. A tool may have sessions too. */
const WITHOUT_SESSION =
  /\b(?:no|unknown|invalid|expired|missing|valid)\b[^.]{0,40}\bsession\b|\bsession\b[^.]{0,40}\b(?:unknown|invalid|expired|missing|required|terminated|gone|not found|not exist|no longer)\b|\bnot initiali[sz]ed\b/i

/** The codes that an implementation chooses itself, such as -32000 of the official SDK. */
const isOwnCode = (code: number): boolean => code >= -32_099 && code <= -32_000

/**
 * Whether a server refused a message because it does not know the session. The specification has the status 404 for that. Servers that were restarted
 * also answer with others and a text about the session. An error with the id of the message answers it, unless its text is about the session.
 */
function isWithoutSession(
  status: number,
  { text, error }: { text: string; error: MessageError | undefined },
): boolean {
  if (status !== NOT_FOUND && !OTHER_STATUSES.has(status)) return false
  if (error) return isOwnCode(error.code) && WITHOUT_SESSION.test(error.message)
  return status === NOT_FOUND || WITHOUT_SESSION.test(text)
}

/** Reads the stream as long as it can be resumed. Returns why no more of it will come; `undefined` if there was none, or the connection ended. */
async function receiveUnrequested(
  opening: Promise<OpenedStream>,
  access: HttpAccess,
): Promise<Loss | undefined> {
  let answer = await opening
  for (let tries = 0; tries < MAX_FIRST_TRIES && isRefusedForNow(answer); tries += 1) {
    await pauseBefore(FIRST_PAUSE_MS * PAUSE_GROWTH ** tries, access)
    if (access.ended.aborted) return undefined
    answer = await openStream(access, {})
  }
  if (!('stream' in answer)) return undefined
  const { refusal } = await resume(await access.read(answer.stream), access)
  if (access.ended.aborted) return undefined
  if (refusal === NOT_FOUND) return FORGOTTEN
  const loss = { kind: 'lost', reason: 'the connection was lost', transient: true } as const
  if (refusal === 'unreached') access.loseOpen({ ...loss, maybeExecuted: true })
  return { ...loss, maybeExecuted: false }
}

/** Whether a server that is starting, or a balancer before it, may have refused the stream. 501 says that there is none. */
function isRefusedForNow(answer: OpenedStream): boolean {
  if ('stream' in answer) return false
  const { refusal } = answer
  return refusal === 'broken' || (typeof refusal === 'number' && refusal >= 500 && refusal !== 501)
}

async function pauseBefore(ms: number, { ended }: Pick<StreamReading, 'ended'>): Promise<void> {
  await pause(ms, undefined, { signal: ended }).catch(() => undefined)
}

async function resume(
  streamEnd: StreamEnd,
  reading: StreamReading,
): Promise<StreamEnd & { refusal?: Refusal }> {
  let end: StreamEnd & { refusal?: Refusal } = streamEnd
  let retryMs = end.retryMs
  let opened = 0
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (end.isAnswered || end.loss?.kind === 'too-large') break
    const wait = retryMs ?? FIRST_PAUSE_MS * PAUSE_GROWTH ** tries
    // A server may end each stream at once, and a longer time is none for a timer.
    const least = opened < MAX_QUICK ? 0 : MIN_PAUSE_MS
    await pauseBefore(Math.min(Math.max(wait, least), MAX_PAUSE_MS), reading)
    if (reading.ended.aborted) break
    const { lastEventId } = end
    const answer = await openStream(
      reading,
      lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    )
    if (!('stream' in answer)) {
      end = { ...end, refusal: answer.refusal }
      if (answer.refusal === NOT_FOUND) break
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

/** Why there is no stream: the status of the server's answer, an answer that broke off, or no answer. */
type Refusal = number | 'broken' | 'unreached'
type OpenedStream = { stream: Response } | { refusal: Refusal }

async function openStream(
  { fetch }: Pick<StreamReading, 'fetch'>,
  headers: Record<string, string>,
): Promise<OpenedStream> {
  try {
    const response = await fetch({ method: 'GET', headers: { accept: EVENTS, ...headers } })
    if (response.ok && response.headers.get('content-type')?.includes(EVENTS))
      return { stream: response }
    await response.body?.cancel()
    return { refusal: response.status }
  } catch (error) {
    return { refusal: explainFetch(error).kind === 'lost' ? 'broken' : 'unreached' }
  }
}
