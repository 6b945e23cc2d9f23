import { findProgramName } from '../command/command.ts'
import type { LocalCommand } from '../local-tool-definition.ts'
import { type Environment, hostEnvironment, withCleanPath } from '../process/environment.ts'
import { locateProgram } from '../process/launch-program.ts'
import { ON_WINDOWS } from '../process/platform.ts'

/** Where the program of a command is looked for. */
export interface ResolveProgramOptions {
  /** Absolute path of the folder where the command starts; a program that is named by a path is found from here. */
  root: string
  /** Its `PATH` is searched; relative and empty elements are not. Default: the variables of this process. */
  environment?: Environment
}

/**
 * The absolute path of the program that a command starts, found as a call finds it. `undefined` where no such program exists, and
 * for a command that cannot be read. Nothing is started.
 */
export function resolveProgram(
  command: LocalCommand,
  { root, environment = hostEnvironment() }: ResolveProgramOptions,
): string | undefined {
  const program = findProgramName(command)
  if (program === undefined) return undefined
  const { PATH, Path, PATHEXT } = environment
  const env = withCleanPath({ PATH, Path, PATHEXT }, ON_WINDOWS ? 'windows' : 'posix')
  const found = locateProgram({ program, args: [], cwd: root, env })
  return found.ok ? found.path : undefined
}
