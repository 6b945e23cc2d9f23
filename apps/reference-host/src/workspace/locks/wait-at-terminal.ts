import type { CommandContext } from '../../terminal/command-context.ts'
import type { LockWait } from './with-lock.ts'

/** Returns how a command waits for a lock: a line says what it waits for, and Ctrl-C ends the wait. */
export function waitAtTerminal({
  terminal,
  signal,
}: Pick<CommandContext, 'terminal' | 'signal'>): LockWait {
  return {
    signal,
    onWait: (what) =>
      terminal.note(terminal.sanitize(`Still waiting for ${what}. Ctrl-C ends the wait.`)),
  }
}
