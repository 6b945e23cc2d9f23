import { hash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { type Command, readCommand } from '../command/command.ts'
import { fixedText } from '../command/template.ts'
import type { LocalCommand } from '../local-tool-definition.ts'
import {
  type Environment,
  type EnvironmentRules,
  hostEnvironment,
  toolEnvironment,
} from '../process/environment.ts'
import { locateProgram } from '../process/launch-program.ts'
import { ON_WINDOWS } from '../process/platform.ts'
import { type FileMark, markOf } from '../process/start/program-file.ts'
import type { DescribeOptions } from './describe-executable.ts'

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

/** What a command starts, as far as its words show it. Plain data: it can be kept beside what was learned of the command. */
export interface SeenCommand {
  readonly program: string
  /** Words that are known before a call, which may name files. */
  readonly words: readonly string[]
}

/** Looks at a command; `undefined` where what runs cannot be seen: a shell script, `npx`, `just`, `python -m`. */
export function seeCommand(command: LocalCommand): SeenCommand | undefined {
  const read = readCommand(command)
  if (!read.ok || isShell(command)) return undefined
  const { program } = read.command
  const words = fixedWords(read.command)
  return WRAPPERS.has(nameOf(program)) || words.includes(MODULE) ? undefined : { program, words }
}

/**
 * Makes a function that says what the description of an executable depends on, as far as files show it: the command, and
 * the path, size and modification time of the program and of every argument that is a file. It gives a SHA-256 in hexadecimal
 * digits, and `undefined` where what runs cannot be seen or found. What a program imports is not seen. Who has kept what
 * `seeCommand` gives for the same command may give it, too, and saves the look. Variables and where programs are, are looked up
 * once: make one for every start.
 */
export function createFingerprints({
  root,
  environment = hostEnvironment(),
}: Pick<DescribeOptions, 'root' | 'environment'>): (
  asked: FingerprintedCommand,
  seen?: SeenCommand,
) => string | undefined {
  const { PATH, Path, PATHEXT } = environment
  const locate = createLocate(root, { PATH, Path, PATHEXT })
  const markProgram = createMarkProgram()
  return ({ command, env = [], setEnv = {} }, seen = seeCommand(command)) => {
    if (!seen) return undefined
    const { program, words } = seen
    const path = locate(program, { env, setEnv })
    if (path === undefined) return undefined
    const marks = [markProgram(path), ...words.map((word) => markOf(resolve(root, word)))]
    const files = marks.filter((mark): mark is FileMark => mark !== undefined)
    const parts = { command, root, env, setEnv, files }
    return hash('sha256', JSON.stringify(parts))
  }
}

/** Where programs are: tools are often many of one interpreter, and `PATH` is long. */
function createLocate(
  root: string,
  environment: Environment,
): (program: string, rules: EnvironmentRules) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (program, rules) => {
    const key = JSON.stringify([program, rules])
    if (known.has(key)) return known.get(key)
    const env = toolEnvironment(environment, rules, ON_WINDOWS ? 'windows' : 'posix')
    const found = locateProgram({ program, args: [], cwd: root, env })
    const path = found.ok ? found.path : undefined
    known.set(key, path)
    return path
  }
}

/** Marks of programs, each taken once. */
function createMarkProgram(): (path: string) => FileMark | undefined {
  const known = new Map<string, FileMark | undefined>()
  return (path) => {
    if (!known.has(path)) known.set(path, markOf(path))
    return known.get(path)
  }
}

function isShell(command: LocalCommand): boolean {
  return typeof command === 'object' && 'shell' in command && (command.shell ?? false)
}

function nameOf(program: string): string {
  return basename(program)
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase()
}

/** What is known before a call fills in the placeholders. */
function fixedWords({ args }: Command): readonly string[] {
  return args.flatMap((arg) => fixedText(arg) ?? [])
}
