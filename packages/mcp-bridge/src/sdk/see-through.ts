/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { WireMessage } from '../mcp-server.ts'
import type { Loss } from '../connection/connection.ts'
import type { Link, SdkTransport } from '../connection/link.ts'
import { type Message, readMessages } from '../connection/read-message.ts'
import { writeMessage } from '../connection/write-message.ts'

/** Where a result stands in the one that the SDK is given in its place: whole, so that nothing of it is dropped or refused. */
const META_RAW = 'toolblocks/raw'

/** What stands beside it, so that every method's schema of either SDK takes it. */
const EMPTY = {
  resultType: 'complete',
  content: [],
  tools: [],
  contents: [],
  ttlMs: 0,
  cacheScope: 'private',
}

/** The result as it came, of the one that the SDK gives. */
export function rawOf(given: unknown): unknown {
  const meta = isJsonObject(given) ? given['_meta'] : undefined
  const covered = isJsonObject(meta) ? meta[META_RAW] : undefined
  return isJsonObject(covered) ? covered['result'] : undefined
}

/** Marks data of ours. */
export const META_COVERED = 'toolblocks/covered'

/** What stands in the `data` of an error that the SDK is given. */
interface ErrorData {
  [META_COVERED]: true
  /** Present where no server said it. */
  loss?: Loss
  data?: unknown
}

/** What is seen on the way. */
export interface Seen {
  onMessage: ((message: WireMessage) => void) | undefined
  /** The server asks something: said before the SDK, which hands requests on later, is given it. */
  onRequest: (request: { id: string | number; method: string }) => void
  onCancelled: (id: unknown) => void
  onVersion: (version: string) => void
  /** Whether it answers a request that is not the SDK's, which is not told of it then. */
  onAnswer?: (message: Message, loss: Loss | undefined) => boolean
  /** Why there is no answer to the hello, which not every SDK hands on. */
  onHelloLoss: (loss: Loss) => void
}

/** What the SDK asks and reads itself, in either era. */
const HELLO = new Set(['initialize', 'server/discover'])

/** A transport through which the SDK sees envelopes only; all but the answer to its hello, which it reads itself. */
export function seeThrough(link: Link, seen: Seen): SdkTransport {
  const { transport: inner } = link
  let hello: string | number | undefined

  function receive(given: JSONRPCMessage): void {
    for (const stub of readMessages(given)) {
      const held = 'id' in stub ? link.take(stub.id) : undefined
      const message = held?.kind === 'message' ? held.message : stub
      seen.onMessage?.({ direction: 'received', message: asObject(writeMessage(message)) })
      const loss = held?.kind === 'loss' ? held.loss : undefined
      if (seen.onAnswer?.(message, loss) === true) continue
      if (message.kind === 'request') seen.onRequest(message)
      if (loss && 'id' in message && message.id === hello) seen.onHelloLoss(loss)
      outer.onmessage?.(writeMessage(cover(message, hello, loss)))
      // The SDK overlooks the cancellation of a request whose id is 0.
      if (message.kind === 'notification' && message.method === 'notifications/cancelled')
        seen.onCancelled(message.params['requestId'])
    }
  }

  const outer: SdkTransport = {
    ...(inner.hasPerRequestStream === true && { hasPerRequestStream: true }),
    start: async () => {
      inner.onmessage = receive
      inner.onclose = () => outer.onclose?.()
      inner.onerror = (error) => outer.onerror?.(error)
      await inner.start()
    },
    send: async (message, options) => {
      if ('method' in message && 'id' in message && HELLO.has(message.method)) hello = message.id
      seen.onMessage?.({ direction: 'sent', message: asObject(message) })
      await inner.send(message, options)
    },
    close: async () => {
      await inner.close()
    },
    setProtocolVersion: (version) => {
      seen.onVersion(version)
      inner.setProtocolVersion?.(version)
    },
  }
  return outer
}

function cover(
  message: Message,
  hello: string | number | undefined,
  loss: Loss | undefined,
): Message {
  switch (message.kind) {
    case 'response':
      return message.id === hello
        ? message
        : { ...message, result: { ...EMPTY, _meta: { [META_RAW]: { result: message.result } } } }
    case 'error': {
      const { data, ...error } = message.error
      // What the SDK itself reads of its hello's error stays where it was.
      const own = message.id === hello && isJsonObject(data) ? data : {}
      const covered: ErrorData = {
        ...own,
        [META_COVERED]: true,
        ...(loss && { loss }),
        ...(data !== undefined && { data }),
      }
      return { ...message, error: { ...error, data: covered } }
    }
    case 'request':
    case 'notification':
      return message
  }
}

function asObject(message: JSONRPCMessage): JsonObject {
  return isJsonObject(message) ? message : {}
}
