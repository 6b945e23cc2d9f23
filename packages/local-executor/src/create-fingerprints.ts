import { requireArguments } from '@toolblocks/protocol/internal'
import { hash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { readCommand } from './command/command.ts'
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

/** Programs that start other programs, which cannot be found in files. */
const WRAPPERS = new Set(
  'bunx cargo direnv docker dotnet env go just make mise nice nix npm npx pipx pnpm podman poetry ssh sudo task uv uvx yarn'.split(
    ' ',
  ),
)

/** After it, interpreters take the name of a module instead of a file. */
const MODULE = '-m'

/** The command of which a fingerprint is taken. */
interface FingerprintedCommand {
  command: LocalCommand
  /** As in `LocalToolDefinition`. */
  env?: readonly string[]
  /** As in `LocalToolDefinition`. */
  setEnv?: Readonly<Record<string, string>>
}

/** What the description of an executable depends on, as far as files show it. Plain data: it can be stored with the description. */
export interface Fingerprint {
  /** SHA-256 of the command, the workspace, the variables and the files, in hexadecimal digits. */
  readonly key: string
  /** The program as the command names it. */
  readonly program: string
  /** The program, and the files that the words after it may name. */
  readonly files: readonly FileState[]
}

/** Takes fingerprints and compares them. Each program is looked up once. */
export interface Fingerprints {
  /** Returns `undefined` if the program cannot be found, or if the files that run are not known (a shell script, `npx`, `just`, `python -m`). */
  take(asked: FingerprintedCommand): Fingerprint | undefined
  /** Whether the files are unchanged. The command must be the same; it is not read again. */
  isCurrent(fingerprint: Fingerprint, asked: Omit<FingerprintedCommand, 'command'>): boolean
}

/**
 * Creates fingerprints of executables from the command and from the path, size and modification time of the program and of every argument that is a
 * file. Files that a program imports are not included.
 */
export function createFingerprints(
  options: Pick<DescribeOptions, 'root' | 'environment'>,
): Fingerprints {
  requireArguments('createFingerprints(options)', [options, { root: 'string' }])
  const { root, environment = hostEnvironment() } = options
  const { PATH, Path, PATHEXT } = environment
  const locate = createLocate(root, { PATH, Path, PATHEXT })
  return {
    take({ command, env = [], setEnv = {} }) {
      const seen = findProgramAndWords(command)
      const path = seen && locate(seen.program, setEnv)
      if (!seen || path === undefined) return undefined
      const { program, fixedArguments } = seen
      const files = [getState(path), ...fixedArguments.map((word) => getState(resolve(root, word)))]
      const parts = { command, root, env, setEnv, files }
      return { key: hash('sha256', JSON.stringify(parts)), program, files }
    },
    isCurrent({ program, files }, { setEnv = {} }) {
      const path = locate(program, setEnv)
      if (path === undefined) return false
      return files.every((was, index) => isSame(was, getState(index === 0 ? path : was.path)))
    },
  }
}

/** Returns the program of a command, and the words that do not depend on a call. */
function findProgramAndWords(
  command: LocalCommand,
): { program: string; fixedArguments: readonly string[] } | undefined {
  const read = readCommand(command)
  if (!read.ok || isShell(command)) return undefined
  const { program } = read.command
  const fixedArguments = read.command.args.flatMap((arg) => fixedText(arg) ?? [])
  return WRAPPERS.has(getName(program)) || fixedArguments.includes(MODULE)
    ? undefined
    : { program, fixedArguments }
}

/** Looks up programs with a cache, because many tools often share one interpreter and `PATH` is long. */
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
    const located = locateProgram({ program, args: [], cwd: root, env })
    const path = located.ok ? located.path : undefined
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
