/** A program to start. */
export interface ProgramPlan {
  /**
   * The program. A bare name is looked up in `PATH`, without its relative and empty entries, so a program in `cwd` is never used by its bare name.
   * A relative path, such as `./server`, starts at `cwd`.
   */
  readonly program: string
  /** The arguments, passed unchanged, without a shell. */
  readonly args: readonly string[]
  /** The working directory. Absolute. */
  readonly cwd: string
  /** The environment variables. Those that are `undefined` are not set. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Which other variables the program receives: `usual`, the few variables of the host that tools receive; or `nothing`, if `env` is complete. */
  readonly inherits: 'usual' | 'nothing'
  /**
   * The standard streams.
   *
   * - `pipes`: to the host. The program has its own process group, and is killed with everything that it has started when the host ends,
   * however the host ends.
   * - `terminal`: the host's own terminal, which the program shares with the host. Ctrl-C reaches both. It is not killed when the host
   * is killed, because it may hold a person's text.
   * - `none`: no streams. The program is independent, and may run longer than the host.
   */
  readonly streams: 'pipes' | 'terminal' | 'none'
}

/** The end of a program. */
export interface ProgramExit {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string
}

/** A running program. */
export interface StartedProgram {
  /** The operating system's number of the process. */
  readonly pid: number
  /**
   * Writes to its standard input. Settles when the pipe has accepted the text, or when no process reads it any more. Has no effect without a pipe.
   */
  write(text: string): Promise<void>
  /** Closes its standard input. */
  endInput(): void
  /** Adds a listener for its output; has no effect without pipes. Call both functions directly after the start, because no output is buffered. */
  onStdout(listener: (chunk: Uint8Array) => void): void
  /** Like `onStdout`, for standard error. */
  onStderr(listener: (chunk: Uint8Array) => void): void
  /** Settles when it has ended; never rejects. Its output may not be read completely by then. */
  readonly exited: Promise<ProgramExit>
  /** Settles when it has ended and all its output was read. Another process that has its streams open can delay that without end. */
  readonly closed: Promise<void>
  /** Asks it to end (SIGTERM), with its process group if it has its own. */
  terminate(): void
  /** Kills it and, if it has its own process group, everything left that it has started. */
  kill(): Promise<void>
  /** Stops reading and watching it. Call it when the program has ended, or may continue alone. */
  release(): void
}

/** The started program, or the reason why it could not start, in a sentence for a person. */
export type ProgramStart = { ok: true; program: StartedProgram } | { ok: false; message: string }

/**
 * Starts a program. A host passes one function to every package that starts programs, so that the same rules apply; `startProgram` of
 * `@toolblocks/local-executor` is one. Rejects only if the machine cannot start any program.
 */
export type StartProgram = (plan: ProgramPlan) => Promise<ProgramStart>
