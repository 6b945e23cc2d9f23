import type { CreatedService } from './create-service.ts'

/** What can be closed. */
interface Closable {
  close(): Promise<void>
}

/** What a service has opened. */
interface ServedParts {
  created: Pick<CreatedService, 'settled'> & Closable
  /** The calls of the only client. */
  kept: Closable
  record: Closable
  opened: Closable
  /** The services of clients. Absent: the only client uses the service itself. */
  clients: Closable | undefined
  /** The connections that clients share. */
  shared: Closable | undefined
}

/** Ends a service, in an order in which cancelled calls still tell their servers, and the results of all calls are recorded. */
export async function endService({
  created,
  kept,
  record,
  opened,
  clients,
  shared,
}: ServedParts): Promise<void> {
  await clients?.close()
  await created.close()
  // Calls of servers end with the calls that they were made for.
  await created.settled()
  await created.settled()
  await kept.close()
  await record.close()
  await opened.close()
  await shared?.close()
}

/** Creates the signal of all work: it is aborted with the signal of the process, until it is detached. */
export function createWorkSignal(signal: AbortSignal): {
  signal: AbortSignal
  detach(): void
  abort(): void
} {
  const working = new AbortController()
  const abort = (): void => working.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return {
    signal: working.signal,
    detach: () => signal.removeEventListener('abort', abort),
    abort,
  }
}

/** Closes what is open if something else cannot be created. */
export async function createOrClose<Value>(
  opened: readonly { close(): Promise<void> }[],
  create: () => Value,
): Promise<Value> {
  try {
    return create()
  } catch (error) {
    for (const each of opened) await each.close()
    throw error
  }
}
