import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { type Command, readCommand } from '../command/command.ts'
import { fixedText } from '../command/template.ts'
import type { LocalCommand } from '../local-tool-definition.ts'
import { hostEnvironment, toolEnvironment } from '../process/environment.ts'
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

/**
 * What the description of an executable depends on, as far as files show it: the command, and the path, size and
 * modification time of the program and of every argument that is a file. `undefined` where what runs cannot be seen
 * (a shell script, `npx`, `just`, `python -m`) or found. What a program imports is not seen. A SHA-256 in hexadecimal digits.
 */
export function fingerprintExecutable(
  command: LocalCommand,
  { root, env = [], setEnv = {}, environment = hostEnvironment() }: Omit<DescribeOptions, 'signal'>,
): string | undefined {
  const read = readCommand(command)
  if (!read.ok || isShell(command)) return undefined
  const { program } = read.command
  const words = fixedWords(read.command)
  if (WRAPPERS.has(nameOf(program)) || words.includes(MODULE)) return undefined
  const variables = toolEnvironment(environment, { env, setEnv }, ON_WINDOWS ? 'windows' : 'posix')
  const found = locateProgram({ program, args: words, cwd: root, env: variables })
  if (!found.ok) return undefined
  const files = [found.path, ...words.map((word) => resolve(root, word))]
    .map(markOf)
    .filter((mark): mark is FileMark => mark !== undefined)
  const parts = { command, root, env, setEnv, files }
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
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
