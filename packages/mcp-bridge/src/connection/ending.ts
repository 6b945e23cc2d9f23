/** What may end a request before its answer. An `AbortSignal` says the same, and costs as much as the rest of a small call. */
export interface Ending {
  hasEnded: boolean
  /** Why it has ended. */
  reason: unknown
  /** Whoever wants to hear of the end. */
  readonly listeners: Set<() => void>
  /** Of the signal, where somebody needed one. */
  controller: AbortController | undefined
}

/** Ends what has not ended yet. */
export function end(ending: Ending, reason: unknown): void {
  if (ending.hasEnded) return
  ending.hasEnded = true
  ending.reason = reason
  for (const listener of ending.listeners) listener()
  ending.controller?.abort(reason)
}

/** The signal that aborts at the end. */
export function signalOf(ending: Ending): AbortSignal {
  ending.controller ??= new AbortController()
  if (ending.hasEnded) ending.controller.abort(ending.reason)
  return ending.controller.signal
}

/** Makes a request that a signal ends; the signal is heard until there is a reply. */
export async function withSignal<Reply>(
  signal: AbortSignal,
  request: (ending: Ending) => Promise<Reply>,
): Promise<Reply> {
  const { aborted, reason } = signal
  const ending: Ending = {
    hasEnded: aborted,
    reason,
    listeners: new Set(),
    controller: undefined,
  }
  const abort = (): void => end(ending, signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await request(ending)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
