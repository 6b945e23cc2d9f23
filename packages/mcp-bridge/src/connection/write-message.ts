import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Message } from './read-message.ts'

/** A message with an envelope that the SDK takes. */
export function writeMessage(message: Message): JSONRPCMessage {
  const { kind: _kind, ...fields } = message
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is inside is nobody's to promise
  return { jsonrpc: '2.0', ...fields } as JSONRPCMessage
}
