import type { CallCancellation } from '@toolblocks/agent'

/** What Ctrl-C does in a chat: the first ends the calls that run, the next the turn. */
export interface Interrupts {
  /** Begins a turn. */
  begin(): { signal: AbortSignal; callsStop: CallCancellation }
  press(): void
  /** Ends the turn; says whether it was interrupted. */
  end(): { wasPressed: boolean }
}

/** Listens for Ctrl-C while a turn goes on; `outside` ends everything. */
export function createInterrupts(
  outside: AbortSignal,
  {
    onSignal,
    host = process,
  }: {
    /** The terminal has echoed the key where the cursor stood. */
    onSignal: () => void
    host?: Pick<NodeJS.Process, 'on' | 'off' | 'listeners'>
  },
): Interrupts {
  let turn: AbortController | undefined
  let calls: AbortController | undefined
  let wasPressed = false

  /** Where no call runs, or they have been told already, it is the turn that ends. */
  function press(): void {
    wasPressed = true
    if (calls && !calls.signal.aborted) calls.abort()
    else turn?.abort()
  }

  /** What draws over its own line clears it first. */
  function signalled(): void {
    press()
    onSignal()
  }

  let others: NodeJS.SignalsListener[] = []
  return {
    press,
    begin: () => {
      // Ctrl-C would end the whole program.
      others = host.listeners('SIGINT')
      for (const each of others) host.off('SIGINT', each)
      host.on('SIGINT', signalled)
      turn = new AbortController()
      calls = undefined
      wasPressed = false
      return {
        signal: AbortSignal.any([turn.signal, outside]),
        callsStop: {
          begin: () => {
            calls = new AbortController()
            return calls.signal
          },
          end: () => (calls = undefined),
        },
      }
    },
    end: () => {
      host.off('SIGINT', signalled)
      for (const each of others) host.on('SIGINT', each)
      turn = undefined
      calls = undefined
      return { wasPressed }
    },
  }
}
