import { covers } from './argument-path.ts'
import { explain, type Refusal } from './explain-refusal.ts'
import { isTextOption, type Kind, programOf, WITH_OPERAND } from './programs.ts'
import type { Template } from './template.ts'

// One rule: from the name of a program that runs text on, wherever the command has it, a value is refused until the text
// or the script of that program has been seen as a fixed word. What stands behind is given to that, and is not run.

/** An option whose name says that it takes code, or the name of a file of code. */
const CODE_OPTION =
  /^-\w*[rLCcd]$|^--(?:\w+-)*(?:eval|print|commands?|exec|execute|expression|source|code|run|require|import|include|load|loader|preload|plugin|file|script|init|rcfile|config|setup|reporter|define|blob|map)(?:-\w+)*=?$/
const FIND_STARTS = /^-(?:exec|ok)(?:dir)?$/
/** What no other option takes. */
const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|jl|exs|tcl|R|k?sh|bash|zsh|fish)$/
/** Variables from which programs take code, programs or libraries. */
const DECIDING =
  /^(?:--[\w-]+=|-\w)?(?:PATH|ENV|SHELL|IFS|BASH_\w+|LD_\w+|DYLD_\w+|NODE_\w+|PYTHON\w+|PERL\w+|RUBY\w+)=/
/** With `-n` and `-p`, Perl runs an operand such as `id|` as a command. */
const PERL_LOOP = /^-[acfilsStTuUvwWX0-9]*[np]/
/** What deno and bun do with a script. */
const SUBCOMMAND = /^(?:run|test|bench|serve|x)$/
const SPLIT_TEXT = /^(?:-[A-Za-z0-9]*S|--split-string)/
const NUMBER = /^(?:\d[\d.,:-]*[smhd]?|0x[\da-f]+)$/i

/** What a word of a command stands behind. */
type State =
  /** A program that runs no text. */
  | { readonly at: 'operands' }
  /** A program that starts another, up to the name of that. */
  | { readonly at: 'starter'; name: string; operands: number; hadOption: boolean }
  /** A program that runs text, up to that or a script. `as`: what is started, a word that is called so, or a value of an option. */
  | {
      readonly at: 'text'
      name: string
      kind: Kind
      as: 'program' | 'word' | 'option'
      hasText: boolean
    }
  /** A fixed text or script, to which the words are given. */
  | { readonly at: 'given' }
type In<At extends State['at']> = Extract<State, { at: At }>

/** One word of a command: the text before its first value, and the fixed word before it. */
interface Word {
  readonly lead: string
  readonly before: string
  /** `code`: values that may be program text. */
  readonly values: 'none' | 'code' | 'any'
}

/** What the rule says of the words of a command. */
export interface CheckedWords {
  /** The first word whose value would or could be run, or decide what is run. */
  readonly refused: { readonly index: number; readonly reason: string } | undefined
  /** For each word, whether it stands behind what ends options: `--`, a program text, or a script. */
  readonly behindOptions: readonly boolean[]
}

/** Checks the words of a command, the program first; `code` names the arguments that may be program text. */
export function checkWords(templates: readonly Template[], code: readonly string[]): CheckedWords {
  const behindOptions: boolean[] = []
  let state: State = { at: 'starter', name: '', operands: 0, hadOption: false }
  let before = ''
  let hasEnd = false
  for (const [index, template] of templates.entries()) {
    const word = toWord(template, { before, code })
    behindOptions.push(hasEnd || state.at === 'given')
    // The -- of a starter ends its own options, not those of what it starts.
    hasEnd ||= state.at === 'operands' && word.lead === '--' && word.values === 'none'
    const next: State | Refusal =
      word.values === 'any' ? takeValue(state, word) : takeFixed(state, word)
    if (next.at === 'refused')
      return { refused: { index, reason: explain(next, template) }, behindOptions }
    state = next
    before = word.values === 'none' ? word.lead : ''
  }
  return { refused: undefined, behindOptions }
}

function toWord(
  { parts }: Template,
  { before, code }: { before: string; code: readonly string[] },
): Word {
  const first = parts.findIndex((part) => typeof part !== 'string')
  const fixed = parts.slice(0, first === -1 ? undefined : first)
  const lead = fixed.map(String).join('')
  const isCode = parts.every((part) => typeof part === 'string' || covers(code, part.path))
  return { lead, before, values: first === -1 ? 'none' : isCode ? 'code' : 'any' }
}

function takeFixed(state: State, word: Word): State {
  const { lead, before } = word
  const { name, kind } = programOf(word.values === 'none' ? lead : '')
  switch (state.at) {
    case 'given':
    case 'operands':
      if (FIND_STARTS.test(lead)) return starterOf(lead)
      if (state.at === 'given' || !kind || kind === 'starter') return state
      return textOf(name, kind, isOption(before) || lead.startsWith('-') ? 'option' : 'word')
    case 'starter':
      if (state.name === 'env' && SPLIT_TEXT.test(lead))
        return textOf('env -S', 'runs-all', 'program')
      if (lead === '--') return { ...state, hadOption: false }
      if (lead === '-' || /^\w+=/.test(lead)) return state
      if (lead.startsWith('-')) return { ...state, hadOption: true }
      // Behind an option, a number may be that option's value, but it is never a program.
      if (state.operands > 0 && (!state.hadOption || isCount(state.name, lead)))
        return { ...state, operands: 0 }
      if (kind === 'starter') return starterOf(name)
      if (kind) return textOf(name, kind, isOption(before) ? 'word' : 'program')
      if (isOption(before) || NUMBER.test(lead)) return state
      return state.operands > 0 ? { ...state, operands: 0 } : { at: 'operands' }
    case 'text':
      return state.kind === 'runs-all' ? takeByRunsAll(state, word) : takeBeforeText(state, word)
  }
}

/** Whether a word is the operand of a starter that takes a number, such as `timeout 10`. */
function isCount(starter: string, lead: string): boolean {
  return /^(?:g?timeout|chrt|taskset)$/.test(starter) && NUMBER.test(lead)
}

/** `--sandbox` takes from sed what runs and writes; a script file of PowerShell is given the words behind it. */
function takeByRunsAll(state: In<'text'>, { lead, before }: Word): State {
  if (/^g?sed$/.test(state.name) && lead === '--sandbox') return { at: 'operands' }
  return /^(?:powershell|pwsh)$/.test(state.name) && /^-f(?:ile)?$/i.test(before)
    ? { at: 'given' }
    : state
}

function takeBeforeText(state: In<'text'>, word: Word): State {
  const { lead, before } = word
  const isShell = state.kind === 'shell'
  if (isTextOption(state, before) && !/^[-+]/.test(lead))
    return isShell ? { at: 'given' } : { ...state, hasText: true }
  if (word.values === 'code') return state.name.endsWith('awk') ? { at: 'given' } : state
  if (lead === '--' || (lead === '-' && state.hasText))
    return state.hasText ? { at: 'given' } : state
  if (state.name === 'perl' && PERL_LOOP.test(lead)) return { ...state, kind: 'runs-all' }
  if (/^-m\w/.test(lead) && state.name.startsWith('py')) return { at: 'given' }
  if (lead === '-' || /^[-+]./.test(lead) || (!state.hasText && SUBCOMMAND.test(lead))) return state
  const { name, kind } = programOf(lead)
  if (kind === 'starter' && state.as !== 'program') return starterOf(name)
  if (kind && kind !== 'starter')
    return textOf(name, kind, state.as === 'option' ? 'option' : 'word')
  const isValue =
    isOption(before) &&
    (!SCRIPT_FILE.test(lead) || CODE_OPTION.test(before) || state.name.endsWith('awk'))
  return isValue ? state : givenTo(state)
}

/** Behind the script of what is started all is given to that; a word that is called so has operands at most. */
function givenTo(state: In<'text'>): State {
  if (state.as === 'program') return { at: 'given' }
  return state.as === 'word' ? { at: 'operands' } : state
}

function takeValue(state: State, word: Word): State | Refusal {
  const { lead, before } = word
  if (state.at === 'given') return state
  if (DECIDING.test(lead)) return refuse('variable')
  if (state.at === 'text') return takeValueBeforeText(state, word)
  if (state.at === 'starter' && state.name === 'env' && SPLIT_TEXT.test(lead))
    return refuse('text', 'env -S')
  if (/^--?$|^--[^=]*$/.test(lead)) return refuse('option')
  if (state.at === 'operands' || /^(?:--[\w-]+|\w+)=/.test(lead)) return state
  if (lead.startsWith('-')) return refuse('option')
  if (state.operands > 0 && !state.hadOption && !isOption(before)) return { ...state, operands: 0 }
  return refuse('program', state.name)
}

function takeValueBeforeText(state: In<'text'>, { lead, before }: Word): State | Refusal {
  const { name, kind } = state
  if (kind === 'runs-all' || isTextOption(state, before)) return refuse('text', name)
  const isAwk = name.endsWith('awk')
  if (isAwk && /^(?:-v|--assign=)\w+=/.test(lead)) return state
  if (isAwk && before === '-v' && /^\w+=/.test(lead)) return state
  if (/^--[\w-]+=/.test(lead))
    return CODE_OPTION.test(lead.replace(/=.*/s, '=')) ? refuse('text', name) : state
  if (isAwk && !isOption(lead) && !isOption(before) && !state.hasText) return refuse('text', name)
  const isNamed = lead !== '' && !/^(?:[-+]|data:)/i.test(lead) && !isOption(before)
  return isNamed && state.as !== 'option' && (!isAwk || state.hasText)
    ? givenTo(state)
    : refuse('script', name)
}

function starterOf(name: string): State {
  return { at: 'starter', name, operands: WITH_OPERAND.test(name) ? 1 : 0, hadOption: false }
}

function textOf(name: string, kind: Kind, as: In<'text'>['as']): State {
  return { at: 'text', name, kind, as, hasText: false }
}

function refuse(why: Refusal['why'], program = ''): Refusal {
  return { at: 'refused', why, program }
}

/** Whether a word may take the next one as its value: not `-n5`, `-F,` and `--name=value`, which have theirs. */
function isOption(lead: string): boolean {
  return /^[-+](?!-?$|\w*\d$)[\w-]*$/.test(lead)
}
