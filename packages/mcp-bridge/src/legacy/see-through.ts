/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { WireMessage } from '../mcp-server.ts'
import type { Loss } from '../connection/connection.ts'
import type { Link } from '../connection/link.ts'
import { type Message, readMessages } from '../connection/read-message.ts'
import { writeMessage } from '../connection/write-message.ts'

/** Where a result stands in the one that the SDK is given in its place: whole, so that nothing of it is dropped or refused. */
export const RAW = 'raw'

/** What stands in the `data` of an error that the SDK is given. */
export interface ErrorData {
  /** Present where no server said it. */
  loss?: Loss
  data?: unknown
}

/** What is seen on the way. */
export interface Seen {
  onMessage: ((message: WireMessage) => void) | undefined
  onCancelled: (id: unknown) => void
  onVersion: (version: string) => void
}

/** A transport through which the SDK sees envelopes only; all but the answer to `initialize`, which it reads itself. */
export function seeThrough(link: Link, seen: Seen): Transport {
  const { transport: inner } = link
  let hello: string | number | undefined

  function receive(given: JSONRPCMessage): void {
    for (const stub of readMessages(given)) {
      const held = 'id' in stub ? link.take(stub.id) : undefined
      const message = held?.kind === 'message' ? held.message : stub
      seen.onMessage?.({ direction: 'received', message: asObject(writeMessage(message)) })
      const loss = held?.kind === 'loss' ? held.loss : undefined
      outer.onmessage?.(writeMessage(cover(message, hello, loss)))
      // The SDK overlooks the cancellation of a request whose id is 0.
      if (message.kind === 'notification' && message.method === 'notifications/cancelled')
        seen.onCancelled(message.params['requestId'])
    }
  }

  const outer: Transport = {
    start: async () => {
      inner.onmessage = receive
      inner.onclose = () => outer.onclose?.()
      inner.onerror = (error) => outer.onerror?.(error)
      await inner.start()
    },
    send: async (message, options) => {
      if ('method' in message && 'id' in message && message.method === 'initialize')
        hello = message.id
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
      return message.id === hello ? message : { ...message, result: { [RAW]: message.result } }
    case 'error': {
      const { data, ...error } = message.error
      const covered: ErrorData = { ...(loss && { loss }), ...(data !== undefined && { data }) }
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
