import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'

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
