import type { Telemetry } from '@toolblocks/protocol'
import type { ReadText } from './typed/read-arguments.ts'
import type { Terminal } from './terminal.ts'

/** The values that every command works with. Only `main.ts` creates one from a process. */
export interface CommandContext {
  terminal: Terminal
  /** The words to type to start this program, for example `npx toolblocks`. */
  command: string
  /** The folder that the command works on. */
  folder: string
  /** Aborted by Ctrl-C and by the other signals that end a program. */
  signal: AbortSignal
  /** Reads standard input (`-`) or a file. A relative path starts at `folder`. */
  readText: ReadText
  /** Does the same as Ctrl-C. Prompts call it because they read Ctrl-C as a key. */
  interrupt: () => void
  /** Reports what the command does. Absent: nothing is reported. */
  telemetry?: Telemetry
  /** Returns the metrics as Prometheus reads them. Absent: they cannot be read. */
  readMetrics?: () => Promise<string>
}

/** Options that every command has. */
export interface SharedOptions {
  config?: string
  output?: 'text' | 'json'
  /** `--trust`: agrees to everything in the folder, for this run. */
  trust?: boolean
}
