import {
  parseJson,
  scanJson,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_MESSAGE_BYTES,
} from '@toolblocks/protocol/internal'
import { createLineReader } from './line-reader.ts'
import { INVALID_REQUEST, isNotification, readMessages } from './message.ts'
import type { Hearing, Wire } from './peer.ts'

/** A stream of messages from the other side: `process.stdin`, a `Readable`, or an object with these members. */
export interface MessageInput {
  /** Adds a listener for the bytes that arrive. */
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  /** Adds a listener for the end of the stream. */
  once(event: 'end', listener: () => void): unknown
  /** Removes a listener. */
  off(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  /** Stops delivering bytes. */
  pause(): unknown
  /** Continues to deliver bytes. */
  resume(): unknown
}

/** A stream of messages to the other side: `process.stdout`, a `Writable`, or an object with these members. */
export interface MessageOutput {
  /** Bytes that were written and are not sent yet. */
  readonly writableLength: number
  /** Writes text in UTF-8. */
  write(text: string): unknown
  /** Adds a listener: `drain` when everything was sent, `error` when the stream fails. */
  once(event: 'drain' | 'error', listener: () => void): unknown
}

/**
 * Creates a wire over standard streams, one message a line. The SDK's transport takes quadratic time in the length of a line, ends without an error
 * if one is too long, and continues to read while no answers are taken.
 */
export function wireOverStreams(
  input: MessageInput,
  output: MessageOutput,
  mostBytes: number = MAX_MESSAGE_BYTES,
): Wire {
  const read = createLineReader(take, mostBytes)
  let hearing: Hearing | undefined

  function readChunk(chunk: Uint8Array): void {
    if (!read(chunk)) {
      refuse(`A message may have at most ${mostBytes} bytes.`)
      end()
    } else if (output.writableLength > mostBytes) {
      // A client that does not read answers may not send more requests.
      input.pause()
      output.once('drain', () => input.resume())
    }
  }

  function take(line: string): void {
    if (scanJson(line).exceeds)
      return refuse(
        `A message may have at most ${MAX_JSON_DEPTH} levels and ${MAX_JSON_NODES} values.`,
      )
    for (const message of readMessages(parseJson(line))) hearing?.onMessage(message)
  }

  function refuse(message: string): void {
    write({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } })
  }

  function write(message: object): void {
    output.write(`${JSON.stringify(message)}\n`)
  }

  function end(): void {
    input.off('data', readChunk)
    input.pause()
    hearing?.onEnd({
      kind: 'lost',
      reason: 'the streams have ended',
      maybeExecuted: true,
      transient: false,
    })
  }

  return {
    start: (listener) => {
      hearing = listener
      input.once('end', end)
      output.once('error', end)
      input.on('data', readChunk)
    },
    send: async (message) => {
      // A server may announce things without end to a client that does not read.
      if (!isNotification(message) || output.writableLength <= mostBytes) write(message)
    },
    close: async () => end(),
  }
}
