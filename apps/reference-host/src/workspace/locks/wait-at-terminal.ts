import type { CommandContext } from '../../terminal/command-context.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { LockWait } from './with-lock.ts'

/** Returns a function that says what a command waits for, if it waits for a short time whatever happens. */
export function reportWait(terminal: Pick<Terminal, 'note' | 'sanitize'>): (what: string) => void {
  return (what) => terminal.note(terminal.sanitize(`Still waiting for ${what}.`))
}

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
