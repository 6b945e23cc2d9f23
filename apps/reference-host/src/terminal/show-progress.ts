import type { AnswerQuestion, TerminalText } from '@toolblocks/protocol'
import spinner from 'yocto-spinner'
import type { Terminal } from './terminal.ts'

/** A call that is faster than this needs no progress, in milliseconds. */
const PATIENCE = 500

/** Progress that is shown until it ends. */
export interface ShownProgress {
  /** The same answers, with the progress out of the way while somebody thinks. */
  pausedFor(answer: AnswerQuestion): AnswerQuestion
  end(): void
}

/** Shows that something runs, and for how long without the time of a person, once it takes long enough to wonder. */
export function showProgress(
  { progress }: Terminal,
  what: TerminalText,
  signal: AbortSignal,
): ShownProgress {
  if (!progress) return { pausedFor: (answer) => answer, end: () => {} }
  let start = performance.now()
  // What ends the process is the host's: the library would exit before the call has said what it had printed.
  const line = spinner({ text: what, stream: progress, handleSignals: false })
  let begin = setTimeout(() => line.start(), PATIENCE)
  const tick = setInterval(() => {
    // Setting the text draws it, also while the spinner rests.
    if (line.isSpinning) line.text = `${what} ${Math.round((performance.now() - start) / 1000)} s`
  }, 1000)

  function pause(): void {
    clearTimeout(begin)
    if (line.isSpinning) line.stop()
  }

  const end = (): void => {
    pause()
    clearInterval(tick)
    signal.removeEventListener('abort', end)
  }
  signal.addEventListener('abort', end, { once: true })

  return {
    pausedFor: (answer) => async (request, context) => {
      pause()
      const asked = performance.now()
      return await answer(request, context).finally(() => {
        start += performance.now() - asked
        if (!signal.aborted) begin = setTimeout(() => line.start(), PATIENCE)
      })
    },
    end,
  }
}
