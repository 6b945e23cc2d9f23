import { isJsonObject, MAX_MESSAGE_BYTES, MAX_REFUSAL_BYTES, parseJson } from '@toolblocks/protocol'
import {
  DENSE,
  DROPPED,
  errorStub,
  type Guard,
  isAnswerTo,
  ODD,
  type Sent,
  stubOf,
  tooLarge,
} from './answer-stub.ts'
import type { Loss } from '../connection/connection.ts'
import { explainStatus } from './explain-status.ts'
import { guardEvents } from './guard-events.ts'
import { readBody } from './read-body.ts'
import { isTooDense, type Message, readMessages } from '../connection/read-message.ts'

/**
 * Makes a `fetch` for the SDK's transport after which every request has an answer: what would leave one waiting for ever (a
 * dropped stream, 202, an answer of another kind) becomes an error, and results come past the SDK's schemas.
 */
export function guardFetch(given: Guard): typeof fetch {
  const hops = new Map<string | number, number>()
  // What was redirected has reached a server that may have done it, whatever comes of the address it was sent on to.
  const guard: Guard = {
    ...given,
    hold: (id, held) => {
      const isAfterHop = hops.delete(id) && held.kind === 'loss'
      given.hold(
        id,
        isAfterHop ? { kind: 'loss', loss: { ...held.loss, maybeExecuted: true } } : held,
      )
    },
  }
  return async (url, init) => {
    const sent = readSent(init?.body)
    if (!sent) {
      const response = await fetch(url, init)
      if (!response.ok) return await boundRefusal(response)
      return isEvents(response) ? guardEvents(response, undefined, guard) : response
    }
    let response: Response
    try {
      response = await fetch(url, init)
    } catch (error) {
      if (init?.signal?.aborted) {
        hops.delete(sent.id)
        throw error
      }
      return lose(sent, explainFetch(error), guard)
    }
    if (response.status >= 300 && response.status < 400) {
      // The SDK follows redirects within the origin, and says of others that nothing was executed.
      const count = hops.get(sent.id) ?? 0
      if (sent.method !== 'tools/call') return response
      if (count < MAX_HOPS && isWithinOrigin(url, response)) {
        hops.set(sent.id, count + 1)
        return response
      }
      await response.body?.cancel()
      const text = response.headers.get('location') ?? ''
      return lose(sent, explainStatus(response.status, { text, expired: false }), guard, response)
    }
    return await guardAnswer(response, sent, {
      guard,
      hasSession: new Headers(init?.headers).has('mcp-session-id'),
    })
  }
}

/** As many as the SDK follows. */
const MAX_HOPS = 5

/** Whether the SDK follows a redirect: one that keeps the method and stays at the scheme, host and port. */
function isWithinOrigin(url: Parameters<typeof fetch>[0], response: Response): boolean {
  const location = response.headers.get('location')
  const from = url instanceof Request ? url.url : String(url)
  if (location === null || !/^30[78]$/.test(String(response.status))) return false
  if (!URL.canParse(location, from)) return false
  const [target, source] = [new URL(location, from), new URL(from)]
  const isUpgrade =
    source.protocol === 'http:' &&
    target.protocol === 'https:' &&
    source.hostname === target.hostname &&
    `${source.port}${target.port}` === ''
  const keepsUser =
    `${target.username}${target.password}` === '' ||
    (target.username === source.username && target.password === source.password)
  return keepsUser && (isUpgrade || source.origin === target.origin)
}

async function guardAnswer(
  response: Response,
  sent: Sent,
  { guard, hasSession }: { guard: Guard; hasSession: boolean },
): Promise<Response> {
  if (!response.ok) return await guardRefusal(response, sent, { guard, hasSession })
  if (isEvents(response)) return guardEvents(response, sent, guard)
  const type = response.headers.get('content-type') ?? 'nothing'
  if (!type.includes('application/json')) {
    await response.body?.cancel()
    const what = response.status === 202 ? '202 and no answer' : `${type} instead of JSON`
    return lose(sent, { ...ODD, reason: `the server answered with ${what}` }, guard, response)
  }
  const read = await readBody(response, MAX_MESSAGE_BYTES)
  switch (read.kind) {
    case 'too-large':
      return lose(sent, tooLarge(MAX_MESSAGE_BYTES), guard, response)
    case 'broken':
      return lose(
        sent,
        { ...DROPPED, reason: `the answer broke off: ${read.reason}` },
        guard,
        response,
      )
    case 'text': {
      if (isTooDense(read.text)) return lose(sent, DENSE, guard, response)
      const messages = readMessages(parseJson(read.text))
      if (!messages.some((message) => isAnswerTo(message, sent)))
        return lose(
          sent,
          { ...ODD, reason: 'the server answered with JSON that is no answer to the request' },
          guard,
          response,
        )
      return answerWith(messages, sent, { guard, response })
    }
  }
}

/** A refusal may be an error of the protocol's, or one of HTTP's. */
async function guardRefusal(
  response: Response,
  sent: Sent,
  { guard, hasSession }: { guard: Guard; hasSession: boolean },
): Promise<Response> {
  const read = await readBody(response, MAX_REFUSAL_BYTES)
  const text = read.kind === 'text' ? read.text : ''
  const expired = response.status === 404 && hasSession
  const error = expired
    ? undefined
    : readMessages(parseJson(text)).find((message) => isAnswerTo(message, sent))
  if (error) return answerWith([error], sent, { guard, response })
  return lose(sent, explainStatus(response.status, { text, expired }), guard, response)
}

/** What is said instead of taking a message that wants no answer. The SDK reads it whole; what is too large or breaks off is left out. */
async function boundRefusal(response: Response): Promise<Response> {
  if (!response.body) return response
  const { status, statusText, headers } = response
  const read = await readBody(response, MAX_REFUSAL_BYTES)
  return new Response(read.kind === 'text' ? read.text : '', { status, statusText, headers })
}

/** Messages with stubs in the place of answers. */
function answerWith(
  messages: readonly Message[],
  sent: Sent,
  { guard, response }: { guard: Guard; response: Response },
): Response {
  const stubs = messages.map((message) => stubOf(message, sent, guard))
  return asJson(stubs.length === 1 ? stubs[0] : stubs, response)
}

function lose(sent: Sent, loss: Loss, guard: Guard, response?: Response): Response {
  return asJson(errorStub(sent, loss, guard), response)
}

/** A session's id is in the headers. */
function asJson(body: unknown, response: Response | undefined): Response {
  const headers = new Headers({ 'content-type': 'application/json' })
  const session = response?.headers.get('mcp-session-id')
  if (typeof session === 'string') headers.set('mcp-session-id', session)
  return new Response(JSON.stringify(body), { status: 200, headers })
}

function isEvents(response: Response): boolean {
  return response.headers.get('content-type')?.includes('text/event-stream') ?? false
}

function readSent(body: unknown): Sent | undefined {
  if (typeof body !== 'string') return undefined
  const [message] = readMessages(parseJson(body))
  if (message?.kind !== 'request') return undefined
  const { _meta: meta } = message.params
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined
  return { id: message.id, method: message.method, ...(typeof token === 'string' && { token }) }
}

/** Codes with which nothing has reached a server. */
const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function explainFetch(error: unknown): Loss {
  const cause = error instanceof Error ? error.cause : undefined
  const code = isJsonObject(cause) ? cause['code'] : undefined
  const message = cause instanceof Error && cause.message !== '' ? cause.message : String(error)
  const isUnsent = typeof code === 'string' && NOTHING_SENT.has(code)
  return {
    kind: isUnsent ? 'unreachable' : 'lost',
    reason: typeof code === 'string' ? `${code}${message === code ? '' : `: ${message}`}` : message,
    maybeExecuted: !isUnsent,
    transient: true,
  }
}
