import type { CallCancellation } from '@toolblocks/agent'

/** What Ctrl-C does in a chat: the first ends the running calls, the next ends the turn. */
export interface Interrupts {
  /** Begins a turn. */
  begin(): { signal: AbortSignal; callCancellation: CallCancellation }
  press(): void
  /** Ends the turn. Returns whether it was interrupted. */
  end(): { wasPressed: boolean }
}

/** Listens for Ctrl-C during a turn. `outside` ends everything. */
export function createInterrupts(
  outside: AbortSignal,
  {
    onSignal,
    host = process,
  }: {
    /** Called after the terminal has echoed the key at the cursor. */
    onSignal: () => void
    host?: Pick<NodeJS.Process, 'on' | 'off' | 'listeners'>
  },
): Interrupts {
  let turn: AbortController | undefined
  let calls: AbortController | undefined
  let wasPressed = false

  /** If no call runs, or the running calls are already cancelled, the turn ends. */
  function press(): void {
    wasPressed = true
    if (calls && !calls.signal.aborted) calls.abort()
    else turn?.abort()
  }

  /** A part that draws over its own line clears the line first. */
  function receiveSignal(): void {
    press()
    onSignal()
  }

  let others: NodeJS.SignalsListener[] = []
  return {
    press,
    begin: () => {
      // Without this listener, Ctrl-C would end the process.
      others = host.listeners('SIGINT')
      for (const each of others) host.off('SIGINT', each)
      host.on('SIGINT', receiveSignal)
      turn = new AbortController()
      calls = undefined
      wasPressed = false
      return {
        signal: AbortSignal.any([turn.signal, outside]),
        callCancellation: {
          begin: () => {
            calls = new AbortController()
            return calls.signal
          },
          end: () => (calls = undefined),
        },
      }
    },
    end: () => {
      host.off('SIGINT', receiveSignal)
      for (const each of others) host.on('SIGINT', each)
      turn = undefined
      calls = undefined
      return { wasPressed }
    },
  }
}
