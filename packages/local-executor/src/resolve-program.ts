import { requireArguments } from '@toolblocks/protocol/internal'
import { existsSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { findProgramName, findScriptName } from './command/command.ts'
import { type LocalCommand, requireCommand } from './command/local-tool-definition.ts'
import {
  type Environment,
  ON_WINDOWS,
  hostEnvironment,
  withCleanPath,
} from './process/environment.ts'
import { readStart } from './process/find-program.ts'
import type { LaunchPlan } from './process/launch-plan.ts'
import { explainStart, locateProgram, locateRunnable } from './process/launch-program.ts'

/** Where to search for the program of a command. */
export interface ResolveProgramOptions {
  /** Absolute path of the folder in which the command starts. A program named by a path is resolved from here. */
  root: string
  /** Its `PATH` is searched, without relative and empty elements. Default: the variables of this process. */
  environment?: Environment
}

/**
 * Returns the absolute path of the program that a command starts, found as for a call. Returns `undefined` if no such program exists or the command
 * is invalid. Nothing is started.
 */
export function resolveProgram(
  command: LocalCommand,
  options: ResolveProgramOptions,
): string | undefined {
  const plan = readPlan('resolveProgram(command, options)', command, options)
  const located = plan && locateProgram(plan)
  return located?.ok === true ? located.path : undefined
}

/**
 * Returns why the program of a command cannot be started, in the words of a call: it does not exist, is not executable, is a folder, names no
 * interpreter, or needs an interpreter or a script that does not exist. Returns `undefined` if nothing speaks against the start, or if the command is invalid. Nothing is started.
 */
export function explainNoProgram(
  command: LocalCommand,
  options: ResolveProgramOptions,
): string | undefined {
  const plan = readPlan('explainNoProgram(command, options)', command, options)
  const located = plan && locateRunnable(plan)
  if (located?.ok !== true) return located?.message
  const interpreter = /^#!\s*(\S+)/.exec(readStart(located.path))?.[1]
  if (interpreter !== undefined && isAbsolute(interpreter) && !existsSync(interpreter))
    return explainStart('ENOENT', located.path)
  const script = RUNS_SCRIPT.test(basename(located.path)) ? findScriptName(command) : undefined
  return script === undefined || existsSync(resolve(options.root, script))
    ? undefined
    : `There is no file ${script}, which ${basename(located.path)} should run. Write its path from ${options.root}.`
}

/** Programs whose first word, unless it is an option, is the path of a script. */
const RUNS_SCRIPT = /^(?:python|node|ruby|perl|php|(?:ba|da|z|k)?sh)[\d.]*(?:\.exe)?$/i

function readPlan(
  signature: string,
  command: LocalCommand,
  options: ResolveProgramOptions,
): LaunchPlan | undefined {
  requireCommand(signature, command)
  requireArguments(signature, [command, 'anything'], [options, { root: 'string' }])
  const { root, environment = hostEnvironment() } = options
  const program = findProgramName(command)
  if (program === undefined) return undefined
  const { PATH, Path, PATHEXT } = environment
  const env = withCleanPath({ PATH, Path, PATHEXT }, ON_WINDOWS ? 'windows' : 'posix')
  return { program, args: [], cwd: root, env }
}
