import { split } from 'shlex'
import {
  type LocalCommand,
  type LocalProblem,
  type LocalToolDefinition,
  isWords,
} from './local-tool-definition.ts'
import {
  type Argument,
  type Command,
  type Template,
  covers,
  fixedText,
  parseTemplate,
} from './template.ts'
import { checkWords } from './program-text.ts'

/** The options of a definition that loosen the rules for single arguments. */
type Allowed = Pick<LocalToolDefinition, 'codeArguments' | 'dashArguments'>

type ReadCommand = { ok: true; command: Command } | { ok: false; problems: readonly LocalProblem[] }

interface CommandWord {
  readonly path: string
  readonly text: string
}

/** Reads a command. Each invalid word becomes a problem. Values are filled in for each call and never split into words. */
export function readCommand(command: LocalCommand, allowed: Allowed = {}): ReadCommand {
  if (typeof command === 'string') return readLine(command, allowed)
  if (isWords(command)) {
    const commandWords = command.map((text, index) => ({ path: `/command/${index}`, text }))
    return readWords(commandWords, allowed)
  }
  const program = { path: '/command/program', text: command.program }
  const args = (command.args ?? []).map((text, index) => ({ path: `/command/args/${index}`, text }))
  return command.shell ? readScript(program, args) : readWords([program, ...args], allowed)
}

/** Returns the program that a command names, even if other words are invalid. Returns `undefined` if it names none. */
export function findProgramName(command: LocalCommand): string | undefined {
  if (typeof command === 'object' && !isWords(command))
    return command.shell ? 'sh' : command.program
  try {
    const [program = ''] = typeof command === 'string' ? split(command) : command
    return program === '' ? undefined : program
  } catch {
    return undefined
  }
}

/** Returns the first word after the program if it is fixed and looks like a path: it has a folder or an extension, and is no option. */
export function findScriptName(command: LocalCommand): string | undefined {
  if (typeof command === 'object' && !isWords(command) && command.shell) return undefined
  const args =
    typeof command === 'string'
      ? split(command).slice(1)
      : isWords(command)
        ? command.slice(1)
        : (command.args ?? [])
  const [first = ''] = args
  const read = parseTemplate(first)
  const script = read.ok ? fixedText(read.template) : undefined
  return script !== undefined && /^[^-+].*[./\\]|^[./\\]/.test(script) ? script : undefined
}

function readLine(line: string, allowed: Allowed): ReadCommand {
  try {
    const commandWords = split(line).map((text) => ({ path: '/command', text }))
    return readWords(commandWords, allowed)
  } catch {
    const message = `a quote is not closed or the line ends in a backslash: ${line}`
    return failed([{ path: '/command', code: 'unbalanced-quotes', message }])
  }
}

function readWords([program, ...args]: readonly CommandWord[], allowed: Allowed): ReadCommand {
  if (!program || program.text === '') {
    const message = 'the command is empty: name the program to start'
    return failed([{ path: program?.path ?? '/command', code: 'empty-command', message }])
  }
  const fixed = readFixed(
    program,
    'the program must be fixed text, so that no value decides which program is started',
  )
  if (!fixed.ok) return fixed
  const read = readArguments(args)
  if (!read.ok) return read
  const templates = [{ source: program.text, parts: [fixed.text] }, ...read.args]
  const { refused, behindOptions } = checkWords(templates, allowed.codeArguments ?? [])
  if (refused) {
    const { path, text } = [program, ...args][refused.index] ?? program
    const message = `no placeholder is allowed in ${text}: ${refused.reason}`
    return failed([{ path, code: 'placeholder-in-program', message }])
  }
  const allowing = [...(allowed.codeArguments ?? []), ...(allowed.dashArguments ?? [])]
  const withDash = read.args.map((template, index) => ({
    ...template,
    takesDash: behindOptions[index + 1] === true || allowsDash(template, allowing),
  }))
  return { ok: true, command: { program: fixed.text, args: withDash } }
}

/** Whether every value that can begin a word belongs to an argument that allows a dash. */
function allowsDash({ parts }: Template, allowing: readonly string[]): boolean {
  const end = parts.findIndex((part) => typeof part === 'string')
  const first = parts.slice(0, end === -1 ? undefined : end)
  return first.every((part) => typeof part !== 'string' && covers(allowing, part.path))
}

function readScript(script: CommandWord, args: readonly CommandWord[]): ReadCommand {
  if (script.text.trim() === '') {
    const message = 'the shell program is empty: write the script for sh'
    return failed([{ path: script.path, code: 'empty-command', message }])
  }
  const fixed = readFixed(
    script,
    'a value inside shell text would be run as shell: list the placeholder in args and use "$1", "$2", … here',
  )
  if (!fixed.ok) return fixed
  const read = readArguments(args)
  if (!read.ok) return read
  const path = script.path
  const shellArguments = ['-c', fixed.text, 'sh'].map((source) => ({
    source,
    parts: [source],
    at: path,
  }))
  const all = [...shellArguments, ...read.args].map((word) => ({ ...word, takesDash: true }))
  return { ok: true, command: { program: 'sh', args: all } }
}

function readFixed(word: CommandWord, reason: string): { ok: true; text: string } | Failed {
  const read = parseTemplate(word.text)
  const text = read.ok ? fixedText(read.template) : undefined
  if (text !== undefined) return { ok: true, text }
  const message = `no placeholder is allowed here: ${reason} (for two literal braces write {{{{)`
  return failed([{ path: word.path, code: 'placeholder-in-program', message }])
}

function readArguments(
  commandWords: readonly CommandWord[],
): { ok: true; args: readonly Omit<Argument, 'takesDash'>[] } | Failed {
  const args: Omit<Argument, 'takesDash'>[] = []
  const problems: LocalProblem[] = []
  for (const { path, text } of commandWords) {
    const read = parseTemplate(text)
    if (read.ok) args.push({ ...read.template, at: path })
    else problems.push({ path, code: 'unknown-placeholder', message: read.message })
  }
  return problems.length === 0 ? { ok: true, args } : failed(problems)
}

type Failed = { ok: false; problems: readonly LocalProblem[] }

function failed(problems: readonly LocalProblem[]): Failed {
  return { ok: false, problems }
}
