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

/** Shows that something runs, and for how long, once it takes long enough to wonder. */
export function showProgress({ progress }: Terminal, what: TerminalText): ShownProgress {
  if (!progress) return { pausedFor: (answer) => answer, end: () => {} }
  const start = performance.now()
  const line = spinner({ text: what, stream: progress })
  let begin = setTimeout(() => line.start(), PATIENCE)
  const tick = setInterval(() => {
    // Setting the text draws it, also while the spinner rests.
    if (line.isSpinning) line.text = `${what} ${Math.round((performance.now() - start) / 1000)} s`
  }, 1000)

  function pause(): void {
    clearTimeout(begin)
    if (line.isSpinning) line.stop()
  }

  return {
    pausedFor: (answer) => async (request, context) => {
      pause()
      return await answer(request, context).finally(() => {
        begin = setTimeout(() => line.start(), PATIENCE)
      })
    },
    end: () => {
      pause()
      clearInterval(tick)
    },
  }
}
