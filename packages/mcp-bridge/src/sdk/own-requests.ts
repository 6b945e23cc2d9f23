import type { JsonObject } from '@toolblocks/protocol'
import type { Loss, Reply } from '../connection/connection.ts'
import type { Ending } from '../connection/ending.ts'
import type { SdkTransport } from '../connection/link.ts'
import type { Message } from '../connection/read-message.ts'
import { readFailure, withoutPrefix } from './read-failure.ts'

/** Far from the SDK's own ids, which count from 0. */
const FIRST_ID = 1_000_000

/** Requests that go past the SDK's client, which reads every answer by schemas and keeps a timer for each. */
export interface OwnRequests {
  /** Never rejects. Ending it early tells the server. */
  send(
    transport: SdkTransport,
    request: { method: string; params: JsonObject },
    ending: Ending,
  ): Promise<Reply>
  /** Whether a message answers one of them, which has its reply then. */
  settle(message: Message, loss: Loss | undefined): boolean
  /** The connection is over. */
  end(loss: Loss): void
}

/** Sends requests with ids of their own, and gives the answers as they came. */
export function createOwnRequests(): OwnRequests {
  const open = new Map<string | number, (reply: Reply) => void>()
  let lastId = FIRST_ID

  return {
    send: (transport, { method, params }, ending) =>
      new Promise<Reply>((resolve) => {
        lastId += 1
        const id = lastId
        const close = (reply: Reply): void => {
          open.delete(id)
          ending.listeners.delete(abort)
          resolve(reply)
        }
        const abort = (): void => {
          close({ kind: 'aborted' })
          const cancelled = { requestId: id, reason: String(ending.reason) }
          transport
            .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancelled })
            .catch(() => undefined) // nobody is there to be told
        }
        open.set(id, close)
        ending.listeners.add(abort)
        transport.send({ jsonrpc: '2.0', id, method, params }).catch((error: unknown) => {
          close(readFailure(error, { ended: undefined, isAborted: ending.hasEnded }))
        })
      }),
    settle: (message, loss) => {
      if (message.kind !== 'response' && message.kind !== 'error') return false
      const close = open.get(message.id)
      if (!close) return false
      close(loss ? { kind: 'loss', loss } : replyOf(message))
      return true
    },
    end: (loss) => {
      for (const close of open.values()) close({ kind: 'loss', loss })
    },
  }
}

function replyOf(message: Extract<Message, { kind: 'response' | 'error' }>): Reply {
  if (message.kind === 'response') return { kind: 'result', result: message.result }
  const { code, message: text, data } = message.error
  return {
    kind: 'error',
    code,
    message: withoutPrefix(text),
    ...(data !== undefined && { data }),
  }
}
