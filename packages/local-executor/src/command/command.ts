import { split } from 'shlex'
import { isWords, type LocalCommand } from '../local-tool-definition.ts'
import { findProgramText } from './program-text/find-program-text.ts'
import { fixedText, parseTemplate, type Template } from './template.ts'
import type { LocalProblem } from '../local-problem.ts'

/** A command that was read once and is rendered for every call. */
export interface Command {
  readonly program: string
  readonly args: readonly Argument[]
}

/** One word behind the program. */
interface Argument extends Template {
  /** JSON Pointer into the definition. */
  readonly at: string
}

type Read = { ok: true; command: Command } | { ok: false; problems: readonly LocalProblem[] }

interface Word {
  readonly path: string
  readonly text: string
}

/** Reads a command; every word that is wrong is a problem. Values are filled in later and never split. */
export function readCommand(command: LocalCommand): Read {
  if (typeof command === 'string') return readLine(command)
  if (isWords(command)) {
    return readWords(command.map((text, index) => ({ path: `/command/${index}`, text })))
  }
  const program = { path: '/command/program', text: command.program }
  const args = (command.args ?? []).map((text, index) => ({ path: `/command/args/${index}`, text }))
  return command.shell ? readScript(program, args) : readWords([program, ...args])
}

function readLine(line: string): Read {
  try {
    return readWords(split(line).map((text) => ({ path: '/command', text })))
  } catch {
    const message = `a quote is not closed or the line ends in a backslash: ${line}`
    return failed([{ path: '/command', code: 'unbalanced-quotes', message }])
  }
}

function readWords([program, ...args]: readonly Word[]): Read {
  if (!program || program.text === '') {
    const message = 'the command is empty: name the program to start'
    return failed([{ path: program?.path ?? '/command', code: 'empty-command', message }])
  }
  const fixed = readFixed(
    program,
    'the program must be fixed, so that no value decides what is started',
  )
  if (!fixed.ok) return fixed
  const read = readArguments(args)
  if (!read.ok) return read
  const words = [program, ...args]
  const programText = findProgramText([{ source: program.text, parts: [fixed.text] }, ...read.args])
  if (!programText) return { ok: true, command: { program: fixed.text, args: read.args } }
  const { index, reason } = programText
  const message = `no placeholder can stand in ${words[index]?.text}: ${reason}`
  const path = words[index]?.path ?? program.path
  return failed([{ path, code: 'placeholder-in-program', message }])
}

function readScript(script: Word, args: readonly Word[]): Read {
  if (script.text.trim() === '') {
    const message = 'the shell program is empty: write what sh is to run'
    return failed([{ path: script.path, code: 'empty-command', message }])
  }
  const fixed = readFixed(
    script,
    'a value inside shell text would be run as shell: list the placeholder in args and use "$1", "$2", … here',
  )
  if (!fixed.ok) return fixed
  const read = readArguments(args)
  if (!read.ok) return read
  const at = script.path
  const words = ['-c', fixed.text, 'sh'].map((source) => ({ source, parts: [source], at }))
  return { ok: true, command: { program: 'sh', args: [...words, ...read.args] } }
}

function readFixed(word: Word, reason: string): { ok: true; text: string } | Failed {
  const read = parseTemplate(word.text)
  const text = read.ok ? fixedText(read.template) : undefined
  if (text !== undefined) return { ok: true, text }
  const message = `no placeholder can stand here: ${reason} (for two braces as they are write {{{{)`
  return failed([{ path: word.path, code: 'placeholder-in-program', message }])
}

function readArguments(words: readonly Word[]): { ok: true; args: readonly Argument[] } | Failed {
  const args: Argument[] = []
  const problems: LocalProblem[] = []
  for (const { path, text } of words) {
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
