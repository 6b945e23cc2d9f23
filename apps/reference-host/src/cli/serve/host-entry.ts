import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { HostEntry } from '../hosts/host-file.ts'

/** The served programs or configuration, as the person typed them. */
interface ServedAs {
  programs: readonly string[]
  /** The words that name servers; empty: programs or a configuration are served. */
  serverArgs: readonly string[]
  /** The words with the rules. */
  ruleArgs?: readonly string[]
  /** The configuration, if no programs were named. */
  configuration?: string | undefined
  trustClient?: boolean | undefined
  results?: string | undefined
  park?: boolean | undefined
  answerWithin?: number | undefined
  log?: string | undefined
  folder: string
}

/** Creates the entry with which a host starts this program. It does not depend on the folder of the host. */
export function makeHostEntry(
  name: string,
  {
    programs,
    serverArgs,
    ruleArgs = [],
    configuration,
    trustClient,
    results,
    park,
    answerWithin,
    log,
    folder,
  }: ServedAs,
  { execPath, program }: { execPath: string; program: string },
): HostEntry {
  const served =
    serverArgs.length > 0
      ? serverArgs
      : programs.length > 0
        ? programs.map((each) => withWholePath(each, folder))
        : ['--config', configuration ?? resolve(folder, 'toolblocks.toml')]
  return {
    name,
    command: execPath,
    args: [
      realpathSync(program),
      'serve',
      ...(trustClient ? ['--trust-client'] : []),
      ...(results === undefined ? [] : ['--results', results]),
      ...(park === undefined ? [] : [park ? '--park' : '--no-park']),
      ...(answerWithin === undefined ? [] : ['--answer-within', formatLimit(answerWithin)]),
      ...(log === undefined ? [] : ['--log', log]),
      ...ruleArgs,
      ...served,
    ],
  }
}

function formatLimit(seconds: number): string {
  return seconds === Infinity ? 'never' : String(seconds)
}

/** Replaces the file of a command line by its absolute path. */
function withWholePath(line: string, folder: string): string {
  if (findScript([line], folder) !== undefined) return resolve(folder, line)
  const script = findScript(line.trim().split(/\s+/), folder)
  if (script === undefined || script.startsWith('/')) return line
  const index = line.indexOf(script)
  const whole = resolve(folder, script)
  const word = /^[\w./+:@%-]+$/.test(whole) ? whole : `'${whole.replaceAll("'", String.raw`'\''`)}'`
  return line.slice(0, index) + word + line.slice(index + script.length)
}

/** Makes the paths among the words of a command line absolute: `./x`, `..`, and the script that an interpreter runs. */
export function resolveWords(args: readonly string[], folder: string): readonly string[] {
  const script = scriptOfInterpreter(args, folder)
  return args.map((word) =>
    word === script || /^\.{1,2}(?:\/|$)/.test(word) ? resolve(folder, word) : word,
  )
}

/** Programs that run the file named after them. */
const INTERPRETERS = new Set(
  'bash bun deno dash fish lua node perl php pwsh python python3 Rscript ruby sh tsx zsh'.split(
    ' ',
  ),
)

const MAX_LENGTH = 64

/** Returns the tool name of a program: `./count-words.sh` and `sh tools/count-words.sh` are `count_words`, `git log --oneline` is `git_log`. */
export function nameProgram(line: string, folder: string): string {
  const args = isFile(line, folder) ? [line] : line.trim().split(/\s+/)
  const script = scriptOfInterpreter(args, folder)
  const named = script === undefined ? leadingWords(args) : [script]
  const name = named
    .map((word, index) => (index === 0 ? basename(word).replace(/\.[^.]*$/, '') : word))
    .join('_')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return name === '' ? 'program' : name.slice(0, MAX_LENGTH)
}

/** Finds the file that a command line runs: the program itself, or the script of an interpreter. */
export function findScript(args: readonly string[], folder: string): string | undefined {
  const [program = ''] = args
  return scriptOfInterpreter(args, folder) ?? (isFile(program, folder) ? program : undefined)
}

function scriptOfInterpreter(
  [program = '', ...rest]: readonly string[],
  folder: string,
): string | undefined {
  if (!INTERPRETERS.has(basename(program))) return undefined
  return rest.find((word) => !word.startsWith('-') && isFile(word, folder))
}

/** Returns the program and its subcommands: the words before the first option, path or value. */
function leadingWords(args: readonly string[]): readonly string[] {
  const [program = '', ...rest] = args
  const end = rest.findIndex((word) => !/^[a-z][a-z0-9-]*$/.test(word))
  return [program, ...(end === -1 ? rest : rest.slice(0, end))]
}

function isFile(name: string, folder: string): boolean {
  const path = resolve(folder, name)
  return existsSync(path) && statSync(path).isFile()
}
