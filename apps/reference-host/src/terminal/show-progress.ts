import spinner from 'yocto-spinner'
import type { Progress, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { firstRow } from './describe-call.ts'
import type { AskedPeople } from './share-screen.ts'
import type { Terminal } from './terminal.ts'

/** A call that is faster than this needs no progress, in milliseconds. */
const PATIENCE = 500

/** Columns of the spinner, and one that stays free, so that the line is never two rows. */
const AROUND = 3

/** Progress that is shown until it ends. */
interface ShownProgress {
  /** Shows what was said last behind the time. */
  say(line: string): void
  /** Does something with the progress out of the way, while somebody thinks. */
  pausedFor<Value>(wait: () => Promise<Value>): Promise<Value>
  end(): void
}

/** How far a call is, in one line; from the tool. */
export function describeProgress({ message, progress, total }: Progress): string | undefined {
  if (message !== undefined || progress === undefined) return message
  return total === undefined ? String(progress) : `${progress} of ${total}`
}

/** Shows nothing. */
export const NO_PROGRESS: ShownProgress = {
  say: () => {},
  pausedFor: async (wait) => await wait(),
  end: () => {},
}

/** Shows on one line that something runs, and for how long without the time of a person, once it takes long enough to wonder. */
export function showProgress(
  { progress, style }: Pick<Terminal, 'progress' | 'style'>,
  what: TerminalText,
  { signal, since = performance.now() }: { signal: AbortSignal; since?: number },
): ShownProgress {
  if (!progress) return NO_PROGRESS
  let start = since
  let said = ''
  let isOver = false
  const describe = (): string => {
    const seconds = Math.round((performance.now() - start) / 1000)
    const time = seconds === 0 ? [] : [style.plain(`${seconds} s`)]
    const columns = Math.max(1, (progress.columns || USUAL) - AROUND)
    const line = said === '' ? [] : [style.dim(`· ${said}`)]
    return firstRow(joinTerminal([what, ...time, ...line], ' '), columns)
  }
  // What ends the process is the host's: the library would exit before the call has said what it had printed.
  const line = spinner({ text: what, stream: progress, handleSignals: false })
  const begin = (): void => void line.start(describe())
  let begun = setTimeout(begin, PATIENCE)
  // Setting the text draws it, also while the spinner rests.
  const draw = (): void => {
    if (line.isSpinning) line.text = describe()
  }
  const tick = setInterval(draw, 1000)

  function pause(): void {
    clearTimeout(begun)
    if (line.isSpinning) line.stop()
  }

  const end = (): void => {
    isOver = true
    pause()
    clearInterval(tick)
    signal.removeEventListener('abort', end)
  }
  signal.addEventListener('abort', end, { once: true })

  return {
    say: (given) => {
      said = given
      draw()
    },
    pausedFor: async (wait) => {
      pause()
      const asked = performance.now()
      return await wait().finally(() => {
        start += performance.now() - asked
        if (!isOver) begun = setTimeout(begin, PATIENCE)
      })
    },
    end,
  }
}

const USUAL = 80

/** The line at the bottom of a chat that says what is waited for; it leaves nothing behind. */
export interface WaitingLine {
  /** `since`: when it began, as `performance.now()` tells; default: now. */
  begin(what: TerminalText, options: { signal: AbortSignal; since?: number }): void
  say(line: string): void
  end(): void
  /** The same people, with the line out of their way while they are asked. */
  aside(people: AskedPeople): AskedPeople
}

/** Makes the line of a terminal. */
export function createWaitingLine(terminal: Terminal): WaitingLine {
  let shown: ShownProgress = NO_PROGRESS
  return {
    begin: (what, options) => {
      shown.end()
      shown = showProgress(terminal, what, options)
    },
    say: (line) => shown.say(line),
    end: () => {
      shown.end()
      shown = NO_PROGRESS
    },
    aside: ({ user, approve }) => ({
      ...(user && {
        user: async (...asked) => await shown.pausedFor(async () => await user(...asked)),
      }),
      ...(approve && {
        approve: async (...asked) => await shown.pausedFor(async () => await approve(...asked)),
      }),
    }),
  }
}
