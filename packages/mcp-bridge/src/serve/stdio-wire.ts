/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import {
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_MESSAGE_BYTES,
  parseJson,
  scanJson,
} from '@toolblocks/protocol'
import { INVALID_REQUEST } from '../wire/message.ts'
import { createLineReader } from '../wire/line-reader.ts'

/**
 * Carries messages over standard streams, one a line. The SDK's own takes time that is quadratic in the length of a line, ends unsaid where
 * one is too long, and reads on while nobody takes the answers.
 */
export function createStdioWire(
  input: Readable,
  output: Writable,
  mostBytes: number = MAX_MESSAGE_BYTES,
): Transport {
  const read = createLineReader(take, mostBytes)
  const wire: Transport = {
    start: async () => {
      input.on('data', readChunk)
    },
    send: async (message) => {
      write(message)
    },
    close: async () => {
      input.off('data', readChunk)
      input.pause()
      wire.onclose?.()
    },
  }

  function readChunk(chunk: Buffer): void {
    if (!read(chunk)) {
      refuse(`A message may have ${mostBytes} bytes.`)
      void wire.close()
    } else if (output.writableLength > mostBytes) {
      // Who takes no answers may ask no more.
      input.pause()
      output.once('drain', () => input.resume())
    }
  }

  function take(line: string): void {
    if (scanJson(line).exceeds)
      return refuse(`A message may have ${MAX_JSON_DEPTH} levels and ${MAX_JSON_NODES} values.`)
    const message = JSONRPCMessageSchema.safeParse(parseJson(line))
    if (message.success) wire.onmessage?.(message.data)
    else if (line.trim() !== '') wire.onerror?.(message.error)
  }

  function refuse(message: string): void {
    write({ jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } })
  }

  function write(message: object): void {
    output.write(`${JSON.stringify(message)}\n`)
  }

  return wire
}
