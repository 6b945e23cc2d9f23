import { constants } from 'node:os'

/** What ends a program from outside. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type ExitSignal = (typeof SIGNALS)[number]

/** That somebody wants the program to end. */
export interface ExitSignals {
  /** Aborted by the first signal: what runs is cancelled and cleans up. A second one ends the process. */
  signal: AbortSignal
  /** Does what Ctrl-C does, for when keys are read one by one and it is no signal. */
  interrupt(): void
  /** The exit code that says which signal it was; undefined before there was one. */
  exitCode(): number | undefined
}

/** Listens for the signals that end a process. */
export function listenForExitSignals(host: NodeJS.Process): ExitSignals {
  const cancel = new AbortController()
  let first: ExitSignal | undefined
  const end = (name: ExitSignal): void => {
    if (first !== undefined) host.exit(getCode(name))
    first = name
    cancel.abort()
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
