import { EXIT } from '../process/exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Reports why a command cannot do what the arguments or the configuration say. Returns the exit code. */
export function refuse(terminal: Terminal, messages: readonly string[]): number {
  for (const message of messages) terminal.report('error', message)
  return EXIT.usage
}
