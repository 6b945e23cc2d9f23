import type { TerminalText } from '@toolblocks/protocol'
import { NO_PROGRESS, showProgress, type ShownProgress } from '../../terminal/show-progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { AskedPeople } from './share-screen.ts'

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
