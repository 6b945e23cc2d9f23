import type { ReadText } from './typed/read-arguments.ts'
import type { Terminal } from './terminal.ts'

/** What every command works with; only `main.ts` makes one of a process. */
export interface CommandContext {
  terminal: Terminal
  /** What to type to start this program, for example `npx toolblocks`. */
  command: string
  /** The folder the command works on. */
  folder: string
  /** Aborted by Ctrl-C, and by what else ends a program. */
  signal: AbortSignal
  /** Reads standard input (`-`) or a file; a relative name starts at the folder. */
  readText: ReadText
  /** Does what Ctrl-C does: prompts read it as a key. */
  interrupt: () => void
}

/** Options every command has. */
export interface SharedOptions {
  config?: string
  output?: 'text' | 'json'
  /** `--trust`: everything in the folder is agreed to, for this run. */
  trust?: boolean
}
