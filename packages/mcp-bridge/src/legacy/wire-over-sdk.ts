/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK knows callbacks only */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { readMessages } from '../wire/message.ts'
import type { Loss, Wire } from '../wire/peer.ts'

/** A transport of the SDK as a wire. */
export function wireOver(transport: Transport): Wire {
  return {
    start: (hearing) => {
      transport.onmessage = (given) => {
        for (const message of readMessages(given)) hearing.onMessage(message)
      }
      transport.onclose = () => hearing.onEnd(ENDED)
      void transport.start()
    },
    send: async (message, { relatedTo }) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is inside is nobody's to promise
      const given = message as JSONRPCMessage
      await transport.send(given, relatedTo === undefined ? {} : { relatedRequestId: relatedTo })
    },
    close: async () => await transport.close(),
  }
}

const ENDED: Loss = {
  kind: 'lost',
  reason: 'the connection was lost',
  maybeExecuted: true,
  transient: true,
}
