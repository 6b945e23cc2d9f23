import { hash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { findProgramName, readCommand } from './command/command.ts'
import type { LocalCommand } from './command/local-tool-definition.ts'
import { fixedText } from './command/template.ts'
import type { DescribeOptions } from './describe-executable.ts'
import {
  type Environment,
  type EnvironmentRules,
  ON_WINDOWS,
  hostEnvironment,
  withCleanPath,
} from './process/environment.ts'
import { type FileState, isSame, getState } from './process/find-program.ts'
import { locateProgram } from './process/launch-program.ts'

/** Programs that start others, which no look at files can find. */
const WRAPPERS = new Set(
  'bunx cargo direnv docker dotnet env go just make mise nice nix npm npx pipx pnpm podman poetry ssh sudo task uv uvx yarn'.split(
    ' ',
  ),
)

/** Behind it, interpreters take the name of a module instead of a file. */
const MODULE = '-m'

/** What a fingerprint is taken of. */
export interface FingerprintedCommand {
  command: LocalCommand
  /** As in `LocalToolDefinition`. */
  env?: readonly string[]
  /** As in `LocalToolDefinition`. */
  setEnv?: Readonly<Record<string, string>>
}

/** What the description of an executable depends on, as far as files show it. Plain data: it can be kept beside the description. */
export interface Fingerprint {
  /** SHA-256 of the command, the workspace, the variables and the files, in hexadecimal digits. */
  readonly key: string
  /** As the command names it. */
  readonly program: string
  /** The program, and what the words behind it may name. */
  readonly files: readonly FileState[]
}

/** Takes fingerprints and compares them, for one start: where programs are is looked up once. */
export interface Fingerprints {
  /** `undefined` where what runs cannot be seen (a shell script, `npx`, `just`, `python -m`) or found. */
  take(asked: FingerprintedCommand): Fingerprint | undefined
  /** Whether the files are as they were. The command, which must be the same, is not read again. */
  isCurrent(fingerprint: Fingerprint, asked: Omit<FingerprintedCommand, 'command'>): boolean
}

/**
 * Fingerprints of executables: the command, and the path, size and modification time of the program and of every argument that is
 * a file. What a program imports is not seen.
 */
export function createFingerprints({
  root,
  environment = hostEnvironment(),
}: Pick<DescribeOptions, 'root' | 'environment'>): Fingerprints {
  const { PATH, Path, PATHEXT } = environment
  const locate = createLocate(root, { PATH, Path, PATHEXT })
  return {
    take({ command, env = [], setEnv = {} }) {
      const seen = seeCommand(command)
      const path = seen && locate(seen.program, setEnv)
      if (!seen || path === undefined) return undefined
      const { program, words } = seen
      const files = [getState(path), ...words.map((word) => getState(resolve(root, word)))]
      const parts = { command, root, env, setEnv, files }
      return { key: hash('sha256', JSON.stringify(parts)), program, files }
    },
    isCurrent({ program, files }, { setEnv = {} }) {
      const path = locate(program, setEnv)
      if (path === undefined) return false
      return files.every((was, at) => isSame(was, getState(at === 0 ? path : was.path)))
    },
  }
}

/** What a command starts, and the words that are known before a call. */
function seeCommand(
  command: LocalCommand,
): { program: string; words: readonly string[] } | undefined {
  const read = readCommand(command)
  if (!read.ok || isShell(command)) return undefined
  const { program } = read.command
  const words = read.command.args.flatMap((arg) => fixedText(arg) ?? [])
  return WRAPPERS.has(getName(program)) || words.includes(MODULE) ? undefined : { program, words }
}

/** Where programs are: tools are often many of one interpreter, and `PATH` is long. */
function createLocate(
  root: string,
  environment: Environment,
): (program: string, setEnv: EnvironmentRules['setEnv']) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (program, setEnv) => {
    const own = setEnv['PATH'] ?? setEnv['Path']
    const key = own === undefined ? program : JSON.stringify([program, setEnv])
    if (known.has(key)) return known.get(key)
    const env = withCleanPath({ ...environment, ...setEnv }, ON_WINDOWS ? 'windows' : 'posix')
    const found = locateProgram({ program, args: [], cwd: root, env })
    const path = found.ok ? found.path : undefined
    known.set(key, path)
    return path
  }
}

function isShell(command: LocalCommand): boolean {
  return typeof command === 'object' && 'shell' in command && (command.shell ?? false)
}

function getName(program: string): string {
  return basename(program)
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase()
}

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
