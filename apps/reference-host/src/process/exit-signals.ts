import { constants } from 'node:os'

/** The signals that end a program. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type ExitSignal = (typeof SIGNALS)[number]

/** Reports that the program is asked to end. */
export interface ExitSignals {
  /** Aborted by the first signal: running calls are cancelled and clean up. A second signal ends the process. */
  signal: AbortSignal
  /** Does the same as Ctrl-C. Used when keys are read one by one and Ctrl-C sends no signal. */
  interrupt(): void
  /** Returns the exit code for the signal that arrived; `undefined` before any signal. */
  exitCode(): number | undefined
}

/** The reason of the abort if another program asks this process to end. A person has cancelled nothing. */
const MUST_END = new DOMException('The process must end.', 'AbortError')

/** Whether a signal has aborted because another program asks this process to end, and not because of Ctrl-C. */
export function mustEnd(reason: unknown): boolean {
  return reason === MUST_END
}

/** Listens for the signals that end a process. */
export function listenForExitSignals(host: NodeJS.Process): ExitSignals {
  const cancel = new AbortController()
  let first: ExitSignal | undefined
  const end = (name: ExitSignal): void => {
    if (first !== undefined) host.exit(getCode(name))
    first = name
    cancel.abort(name === 'SIGINT' ? undefined : MUST_END)
  }
  for (const name of SIGNALS) host.on(name, () => end(name))
  return {
    signal: cancel.signal,
    interrupt: () => end('SIGINT'),
    exitCode: () => first && getCode(first),
  }
}

function getCode(name: ExitSignal): number {
  return 128 + constants.signals[name]
}
