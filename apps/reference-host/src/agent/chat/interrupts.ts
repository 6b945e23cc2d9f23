/** What Ctrl-C does in a chat: the first ends the calls that run, the next the turn. */
export interface Interrupts {
  /** Begins a turn. */
  begin(): { signal: AbortSignal; callSignal: () => AbortSignal }
  press(): void
  end(): void
}

/** Listens for Ctrl-C while a turn goes on; `outside` ends everything. */
export function createInterrupts(
  outside: AbortSignal,
  host: Pick<NodeJS.Process, 'on' | 'off' | 'listeners'> = process,
): Interrupts {
  let turn: AbortController | undefined
  let calls: AbortController | undefined

  /** Where no call runs, or they have been told already, it is the turn that ends. */
  function press(): void {
    if (calls && !calls.signal.aborted) calls.abort()
    else turn?.abort()
  }

  let others: NodeJS.SignalsListener[] = []
  return {
    press,
    begin: () => {
      // Ctrl-C would end the whole program.
      others = host.listeners('SIGINT')
      for (const each of others) host.off('SIGINT', each)
      host.on('SIGINT', press)
      turn = new AbortController()
      calls = undefined
      return {
        signal: AbortSignal.any([turn.signal, outside]),
        callSignal: () => {
          calls = new AbortController()
          return calls.signal
        },
      }
    },
    end: () => {
      host.off('SIGINT', press)
      for (const each of others) host.on('SIGINT', each)
      turn = undefined
      calls = undefined
    },
  }
}
