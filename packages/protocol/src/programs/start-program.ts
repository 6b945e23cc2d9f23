/** A program that a package wants to have started. */
export interface ProgramPlan {
  /**
   * A bare name is looked up in `PATH`, of which relative and empty elements are ignored: a program in `cwd` is never taken by its bare
   * name. A relative path, such as `./server`, begins at `cwd`.
   */
  readonly program: string
  /** Given to the program as they are: no shell reads them. */
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  /** Its environment variables; those that are `undefined` are not set. */
  readonly env: Readonly<Record<string, string | undefined>>
  /**
   * What the program gets beside `env`: `usual`, the few variables of the host that tools get too; or `nothing`, where `env` is the
   * whole environment already.
   */
  readonly inherits: 'usual' | 'nothing'
  /**
   * Where its standard streams lead.
   *
   * - `pipes`: to the host. The program has a process group of its own, and is killed with all that it has started when the host ends,
   *   however the host ends.
   * - `terminal`: to the host's own terminal, which the program shares with the host; Ctrl-C reaches both. It is not killed when the host
   *   is: it may hold what a person is writing.
   * - `none`: nowhere. The program is on its own, and may run longer than the host.
   */
  readonly streams: 'pipes' | 'terminal' | 'none'
}

/** How a program ended. */
export interface ProgramExit {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string
}

/** A program that runs. */
export interface StartedProgram {
  /** The operating system's number of the process. */
  readonly pid: number
  /** Writes to its standard input. Settles when the pipe has taken it, or nobody reads it any more. Does nothing without a pipe. */
  write(text: string): Promise<void>
  /** Ends its standard input. */
  endInput(): void
  /** Gets what it prints; nothing where there are no pipes. Call both at once after the start: nothing is kept for later. */
  onStdout(listener: (chunk: Uint8Array) => void): void
  /** As `onStdout`, for what it prints on standard error. */
  onStderr(listener: (chunk: Uint8Array) => void): void
  /** Settles when it has ended; never rejects. What it printed may not have been read by then. */
  readonly exited: Promise<ProgramExit>
  /** It has ended, and all that it printed was read. Something else that has its streams open can delay that without end. */
  readonly closed: Promise<void>
  /** Asks it to end (SIGTERM): its whole process group, where it has one of its own. */
  terminate(): void
  /** Kills it and, where it has a process group of its own, what is left of all that it has started. */
  kill(): Promise<void>
  /** Stops reading and watching it: to be called when it has ended, or may go on alone. */
  release(): void
}

/** What came of starting a program: the program, or why there is none, in a sentence for a person. */
export type ProgramStart = { ok: true; program: StartedProgram } | { ok: false; message: string }

/**
 * Starts a program. A host passes one function to every package that has programs to start, so that all are started by the same rules;
 * `startProgram` of `@toolblocks/local-executor` is one. Rejects only where the machine cannot start anything.
 */
export type StartProgram = (plan: ProgramPlan) => Promise<ProgramStart>
