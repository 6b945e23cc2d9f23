import { StoreError } from '../../store-error.ts'
import type { PostgresClient } from './postgres-client.ts'

/** A client whose every failure is a `StoreError`, and that says so when it is closed; closing twice is fine. */
export function guardClient(client: PostgresClient, place: string): PostgresClient {
  let closing: Promise<void> | undefined
  const open = new Set<Promise<unknown>>()
  async function guard<Value>(work: () => Promise<Value>): Promise<Value> {
    if (closing) throw new StoreError('closed', `The store ${place} is closed.`)
    const running = work()
    open.add(running)
    try {
      return await running
    } catch (cause) {
      throw toStoreError(cause, place)
    } finally {
      open.delete(running)
    }
  }
  return {
    query: (text, values) => guard(() => client.query(text, values)),
    inTransaction: (kind, work) =>
      guard(async () => {
        const run = () => client.inTransaction(kind, work)
        // Reading again does no harm; an append may have been done before its answer was lost.
        return kind === 'snapshot' ? await run().catch(retryIfLost(run)) : await run()
      }),
    listen: (channel, hears) => guard(() => client.listen(channel, hears)),
    // A pool that is ended forgets who waits for a connection.
    close: () => (closing ??= Promise.allSettled(open).then(() => client.close())),
  }
}

/** A server that was started anew has closed the connections that wait in the pool. */
function retryIfLost<Value>(run: () => Promise<Value>): (cause: unknown) => Promise<Value> {
  return async (cause) => {
    if (!isUnreachable(cause)) throw cause
    return await run()
  }
}

function toStoreError(cause: unknown, place: string): StoreError {
  if (cause instanceof StoreError) return cause
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return isUnreachable(cause)
    ? new StoreError(
        'cannot-open',
        `The store ${place} cannot be reached: ${reason || 'no answer'}.`,
        { cause },
      )
    : new StoreError('failed', `The store ${place} failed: ${reason}.`, { cause })
}

/** A code of the operating system, or of the classes "connection exception" and "invalid authorization". */
function isUnreachable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if (cause.message.startsWith('Connection terminated')) return true
  const code: unknown = Reflect.get(cause, 'code')
  return typeof code === 'string' && /^(?:E[A-Z]{3,}|08...|28...|3D...|57P..)$/.test(code)
}
