import type { Environment } from './environment.ts'

/** A program to start. */
export interface LaunchPlan {
  /** A name to search for in the `PATH` of `env`; absolute once it was found. */
  readonly program: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Environment
  /** The complete standard input, if it is already known. The program can then open its standard streams by name. */
  readonly input?: string
}
