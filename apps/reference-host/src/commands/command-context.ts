import type { Terminal } from '../terminal/terminal.ts'

/** What every command works with; only `main.ts` makes one of a process. */
export interface CommandContext {
  terminal: Terminal
  /** The current directory. */
  folder: string
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/** Options every command has. */
export interface SharedOptions {
  config?: string
  output?: 'text' | 'json'
}
