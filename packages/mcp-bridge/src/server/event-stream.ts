import type { ServerResponse } from 'node:http'
import type { JsonObject } from '@toolblocks/protocol'
import { isNotification } from '../wire/message.ts'

/** A response that is a stream of events, each with a message. */
export interface EventStream {
  /** Sends an event without a message, after which the client can continue the stream. */
  prime(id: string): void
  /** Settles when the client can take more, or is gone. `id`: after which the client can continue the stream. */
  send(message: JsonObject, id?: string): Promise<void>
  /** Tells the client to connect again soon. */
  retry(): void
  end(): void
}

/** Bytes that a client has not read, above which it receives no further notifications. A server may send them without end. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
/** The type of a stream of events. */
export const EVENTS = 'text/event-stream'
/** Milliseconds between the comments that keep a silent stream open. */
const KEEP_ALIVE_MS = 15_000
/** Milliseconds after which a client should connect again. */
const RETRY_MS = 500

/** Answers with a stream of events, whose headers are sent at once. */
export function openEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): EventStream {
  // Another replica may have begun the stream, and have ended.
  if (!response.headersSent)
    response.writeHead(200, {
      'content-type': EVENTS,
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    })
  response.flushHeaders()
  const write = (text: string): void => {
    // The client may still read what was written before the end.
    if (!response.writableEnded) response.write(text)
  }
  const alive = setInterval(() => write(': alive\n\n'), KEEP_ALIVE_MS).unref()
  // A message may come when the client has gone, and then nothing else ends the comments.
  if (response.destroyed) clearInterval(alive)
  /** Ends the wait of each message that the client has not taken. One listener for all: Node.js warns of more than ten. */
  const waiting = new Set<() => void>()
  response.once('close', () => {
    clearInterval(alive)
    for (const resume of waiting) resume()
  })
  return {
    prime: (id) => write(`id: ${id}\ndata: \n\n`),
    retry: () => write(`retry: ${RETRY_MS}\n\n`),
    send: async (message, id) => {
      // A tool may report progress after its result.
      if (response.writableEnded) return
      if (isNotification(message) && response.writableLength > MAX_UNREAD_BYTES) return
      const name = id === undefined ? '' : `id: ${id}\n`
      const event = `event: message\n${name}data: ${JSON.stringify(message)}\n\n`
      const { promise, resolve } = Promise.withResolvers<void>()
      const resume = (): void => resolve()
      waiting.add(resume)
      // Node.js 26 may not emit `drain` for a response; the callback of a write always runs.
      if (response.write(event, resume)) resume()
      await promise
      waiting.delete(resume)
    },
    end: () => {
      // The client may read the rest after the next comment is due, and nothing may be written after the end.
      clearInterval(alive)
      response.end()
    },
  }
}
