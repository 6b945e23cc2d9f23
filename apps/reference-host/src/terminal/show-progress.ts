import spinner from 'yocto-spinner'
import type { Progress, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '@toolblocks/renderer'
import { firstRow } from './describe-call.ts'
import type { AskedPeople } from './share-screen.ts'
import type { Terminal } from './terminal.ts'

/** Milliseconds before progress is shown. A faster call shows none. */
const PROGRESS_DELAY_MS = 500

/** Columns of the spinner and one free column, so that the line never takes two rows. */
const RESERVED_COLUMNS = 3

/** Progress that is shown until `end` is called. */
interface ShownProgress {
  /** Shows the latest message behind the time. */
  say(line: string): void
  /** Hides the progress while a person answers. The time of the wait does not count. */
  pausedFor<Value>(wait: () => Promise<Value>): Promise<Value>
  end(): void
}

/** Formats the progress that a tool reports in one line. */
export function describeProgress({ message, progress, total }: Progress): string | undefined {
  if (message !== undefined || progress === undefined) return message
  return total === undefined ? String(progress) : `${progress} of ${total}`
}

/** Progress that shows nothing. */
export const NO_PROGRESS: ShownProgress = {
  say: () => {},
  pausedFor: async (wait) => await wait(),
  end: () => {},
}

/** Shows on one line what runs and for how long, without the time that a person takes to answer. It appears after 500 ms. */
export function showProgress(
  { progress, style }: Pick<Terminal, 'progress' | 'style'>,
  what: TerminalText,
  { signal, since = performance.now() }: { signal: AbortSignal; since?: number },
): ShownProgress {
  if (!progress) return NO_PROGRESS
  let start = since
  let message = ''
  let isOver = false
  const describe = (): string => {
    const seconds = Math.round((performance.now() - start) / 1000)
    const time = seconds === 0 ? [] : [style.plain(`${seconds} s`)]
    const columns = Math.max(1, (progress.columns || USUAL) - RESERVED_COLUMNS)
    const line = message === '' ? [] : [style.dim(`· ${message}`)]
    return firstRow(joinTerminal([what, ...time, ...line], ' '), columns)
  }
  // The host handles signals: the library would exit before the output of the call is printed.
  const line = spinner({ text: what, stream: progress, handleSignals: false })
  const begin = (): void => void line.start(describe())
  let begun = setTimeout(begin, PROGRESS_DELAY_MS)
  // Setting the text draws it, also while the spinner is stopped.
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
    say: (text) => {
      message = text
      draw()
    },
    pausedFor: async (wait) => {
      pause()
      const asked = performance.now()
      return await wait().finally(() => {
        start += performance.now() - asked
        if (!isOver) begun = setTimeout(begin, PROGRESS_DELAY_MS)
      })
    },
    end,
  }
}

const USUAL = 80

/** The line at the bottom of a chat that says what the program waits for. It is erased at the end. */
export interface WaitingLine {
  /** `since`: the start, from `performance.now()`. Default: now. */
  begin(what: TerminalText, options: { signal: AbortSignal; since?: number }): void
  say(line: string): void
  end(): void
  /** Returns the same functions; the line is hidden while they ask. */
  aside(people: AskedPeople): AskedPeople
}

/** Creates the waiting line of a terminal. */
export function createWaitingLine(terminal: Terminal): WaitingLine {
  let progress: ShownProgress = NO_PROGRESS
  return {
    begin: (what, options) => {
      progress.end()
      progress = showProgress(terminal, what, options)
    },
    say: (line) => progress.say(line),
    end: () => {
      progress.end()
      progress = NO_PROGRESS
    },
    aside: ({ user, approve }) => ({
      ...(user && {
        user: async (...asked) => await progress.pausedFor(async () => await user(...asked)),
      }),
      ...(approve && {
        approve: async (...asked) => await progress.pausedFor(async () => await approve(...asked)),
      }),
    }),
  }
}
