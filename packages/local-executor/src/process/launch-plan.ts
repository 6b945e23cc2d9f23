import type { Environment } from './environment.ts'

/** A program to start. */
export interface LaunchPlan {
  /** Looked for in the `PATH` of its `env`, until it was found: then absolute. */
  readonly program: string
  readonly args: readonly string[]
  /** Absolute. */
  readonly cwd: string
  readonly env: Environment
  /** All that it gets on standard input, where that is known already; it can then open its standard streams by name. */
  readonly input?: string
}
