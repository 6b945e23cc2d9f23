import type { Loss } from '../connection/connection.ts'
import type { Held } from '../connection/link.ts'
import { type Message, TOO_DENSE } from '../connection/read-message.ts'
import { SERVER_ERROR } from '../connection/error-codes.ts'

/** Gets what stands behind the stubs that the SDK is given. */
export interface Guard {
  hold: (id: string | number, held: Held) => void
  /** A request of the server's came on the stream of a request of ours. */
  noteOrigin: (id: string | number, token: string) => void
}

/** A request of ours that waits for its answer. */
export interface Sent {
  id: string | number
  method: string
  token?: string
}

/** What the SDK is given for a message; the answer to `initialize` it reads itself. */
export function stubOf(message: Message, sent: Sent | undefined, guard: Guard): object {
  const { kind, ...fields } = message
  switch (kind) {
    case 'response':
    case 'error': {
      if (sent?.method === 'initialize' || sent?.method === 'server/discover') break
      const { id } = message
      guard.hold(id, { kind: 'message', message })
      return { jsonrpc: '2.0', id, result: {} }
    }
    case 'request':
      if (sent?.token !== undefined) guard.noteOrigin(message.id, sent.token)
      break
    case 'notification':
  }
  return { jsonrpc: '2.0', ...fields }
}

/** Holds why there is no answer, and gives the SDK an error in its place. */
export function errorStub(sent: Sent, loss: Loss, guard: Guard): object {
  guard.hold(sent.id, { kind: 'loss', loss })
  return { jsonrpc: '2.0', id: sent.id, error: { code: SERVER_ERROR, message: loss.reason } }
}

export function isAnswerTo(message: Message, { id }: Sent): boolean {
  return (message.kind === 'response' || message.kind === 'error') && message.id === id
}

export const DROPPED: Omit<Loss, 'reason'> = { kind: 'lost', maybeExecuted: true, transient: true }
export const ODD: Omit<Loss, 'reason'> = {
  kind: 'not-understood',
  maybeExecuted: true,
  transient: false,
}

/** Parsing it could take many times its size in memory. */
export const DENSE: Loss = { ...ODD, kind: 'too-large', reason: `the answer ${TOO_DENSE}` }

export function tooLarge(bytes: number): Loss {
  return { ...ODD, kind: 'too-large', reason: `the answer has more than ${bytes} bytes` }
}
