import { type Template, covers } from './template.ts'

// One rule: after the name of a program that runs text, anywhere in the command, a value is refused until the text or script of that program has
// appeared as a fixed word. The words after it are arguments of that script and are not run.

/** An option whose name says that it takes code, or the name of a file of code. */
const CODE_OPTION =
  /^-\w*[rLCcd]$|^--(?:\w+-)*(?:eval|print|commands?|exec|execute|expression|source|code|run|require|import|include|load|loader|preload|plugin|file|script|init|rcfile|config|setup|reporter|define|blob|map)(?:-\w+)*=?$/

const FIND_STARTS = /^-(?:exec|ok)(?:dir)?$/

/** Extensions of script files; no other option takes such a value. */
const SCRIPT_FILE = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|jl|exs|tcl|R|k?sh|bash|zsh|fish)$/

/** Variables from which programs load code, programs or libraries. */
const DECIDING =
  /^(?:--[\w-]+=|-\w)?(?:PATH|ENV|SHELL|IFS|BASH_\w+|LD_\w+|DYLD_\w+|NODE_\w+|PYTHON\w+|PERL\w+|RUBY\w+)=/

/** With `-n` and `-p`, Perl runs an operand such as `id|` as a command. */
const PERL_LOOP = /^-[acfilsStTuUvwWX0-9]*[np]/

/** Subcommands of deno and bun that run a script. */
const SUBCOMMAND = /^(?:run|test|bench|serve|x)$/

const SPLIT_TEXT = /^(?:-[A-Za-z0-9]*S|--split-string)/

const NUMBER = /^(?:\d[\d.,:-]*[smhd]?|0x[\da-f]+)$/i

/** The state of the check at one word of a command. */
type State =
  /** A program that runs no text. */
  | { readonly at: 'operands' }
  /** A program that starts another one, before the name of that program. */
  | { readonly at: 'starter'; name: string; operands: number; hadOption: boolean }
  /**
   * A program that runs text, before the text or script. `as`: how the program was named: as the started program, as a word with its name, or as a
   * value of an option.
   */
  | {
      readonly at: 'text'
      name: string
      kind: Kind
      as: 'program' | 'word' | 'option'
      hasText: boolean
    }
  /** After a fixed text or script, which receives the words. */
  | { readonly at: 'given' }

type In<At extends State['at']> = Extract<State, { at: At }>

/** One word of a command: the text before its first value, and the fixed word before it. */
interface Word {
  readonly lead: string
  readonly before: string
  /** `code`: all values may be program text. */
  readonly values: 'none' | 'code' | 'any'
}

/** The result of the check of a command's words. */
interface CheckedWords {
  /** The first word whose value would be run, could be run, or decides what is run. */
  readonly refused: { readonly index: number; readonly reason: string } | undefined
  /** For each word, whether it comes after the end of options: `--`, a program text, or a script. */
  readonly behindOptions: readonly boolean[]
}

/** Checks the words of a command, of which the first is the program. `code` names the arguments that may be program text. */
export function checkWords(templates: readonly Template[], code: readonly string[]): CheckedWords {
  const behindOptions: boolean[] = []
  let state: State = { at: 'starter', name: '', operands: 0, hadOption: false }
  let before = ''
  let hasEnd = false
  for (const [index, template] of templates.entries()) {
    const word = toWord(template, { before, code })
    behindOptions.push(hasEnd || state.at === 'given')
    // The -- of a starter ends its own options, not those of the program that it starts.
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
  const { name, kind } = getProgram(word.values === 'none' ? lead : '')
  switch (state.at) {
    case 'given':
    case 'operands':
      if (FIND_STARTS.test(lead)) return getStarter(lead)
      if (state.at === 'given' || !kind || kind === 'starter') return state
      return getText(name, kind, isOption(before) || lead.startsWith('-') ? 'option' : 'word')
    case 'starter':
      if (state.name === 'env' && SPLIT_TEXT.test(lead))
        return getText('env -S', 'runs-all', 'program')
      if (lead === '--') return { ...state, hadOption: false }
      if (lead === '-' || /^\w+=/.test(lead)) return state
      if (lead.startsWith('-')) return { ...state, hadOption: true }
      // After an option, a number may be that option's value, but it is never a program.
      if (state.operands > 0 && (!state.hadOption || isCount(state.name, lead)))
        return { ...state, operands: 0 }
      if (kind === 'starter') return getStarter(name)
      if (kind) return getText(name, kind, isOption(before) ? 'word' : 'program')
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

/** `--sandbox` disables the commands of sed that run programs and write files. PowerShell passes the words after a script file to the script. */
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
  const { name, kind } = getProgram(lead)
  if (kind === 'starter' && state.as !== 'program') return getStarter(name)
  if (kind && kind !== 'starter')
    return getText(name, kind, state.as === 'option' ? 'option' : 'word')
  const isValue =
    isOption(before) &&
    (!SCRIPT_FILE.test(lead) || CODE_OPTION.test(before) || state.name.endsWith('awk'))
  return isValue ? state : getStateInScript(state)
}

/**
 * After the script of the started program, all words belong to the script. If only a word has the name of such a program, its words are at most
 * operands.
 */
function getStateInScript(state: In<'text'>): State {
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
    ? getStateInScript(state)
    : refuse('script', name)
}

function getStarter(name: string): State {
  return { at: 'starter', name, operands: WITH_OPERAND.test(name) ? 1 : 0, hadOption: false }
}

function getText(name: string, kind: Kind, as: In<'text'>['as']): State {
  return { at: 'text', name, kind, as, hasText: false }
}

function refuse(why: Refusal['why'], program = ''): Refusal {
  return { at: 'refused', why, program }
}

/** Whether a word can take the next one as its value: not `-n5`, `-F,` and `--name=value`, which contain their value. */
function isOption(lead: string): boolean {
  return /^[-+](?!-?$|\w*\d$)[\w-]*$/.test(lead)
}

/** How a program uses its words. */
type Kind = 'shell' | 'interpreter' | 'runs-all' | 'starter'

/** By name, without folder, version and `.exe`. */
const KINDS = new Map<string, Kind>([
  // They run the text after -c, or the script that is their first operand; the script receives the rest.
  ...listKinds(
    'shell',
    `sh ash bash dash ksh mksh lksh oksh posh rbash yash zsh hush osh ysh python pythonw pypy py guile`,
  ),
  // They run the text after -e or a similar option, and continue to read options after it, until -- or an operand.
  ...listKinds(
    'interpreter',
    `node nodejs iojs bun deno tsx ts-node ts-node-esm qjs ruby jruby irb perl php lua luajit julia elixir racket groovy osascript
     Rscript R tclsh expect fish nu elvish xonsh csh tcsh awk gawk mawk nawk original-awk`,
  ),
  // They run any of their words, or pass all of them to a shell.
  ...listKinds(
    'runs-all',
    `sed gsed ssh su runuser script cmd powershell pwsh eval watch parallel emacs emacsclient vi vim nvim gdb
     lldb ipython gnuplot octave ghc ghci runghc ocaml erl iex sbcl clisp swipl scala clojure clj`,
  ),
  // They start the program after their options and assignments, some of them after one operand.
  ...listKinds(
    'starter',
    `env sudo doas pkexec nice nohup setsid stdbuf xargs time exec command builtin busybox toybox ionice unshare nsenter
     setpriv prlimit strace ltrace catchsegv systemd-run caffeinate tini dumb-init arch timeout gtimeout chrt taskset
     chroot flock gosu su-exec`,
  ),
])

/** Starters that take an operand before the program. */
const WITH_OPERAND = /^(?:g?timeout|chrt|taskset|chroot|flock|gosu|su-exec)$/

function listKinds(kind: Kind, names: string): [string, Kind][] {
  return names.split(/\s+/).map((name) => [name, kind])
}

/** Options after which a program takes text, a script or a module, other than `-c` of shells and `-e` of interpreters. */
const TEXT_OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^py/, /^-\w*[cm]$/],
  [/^(?:node|nodejs|iojs|bun)$/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^(?:fish|nu|elvish|xonsh|csh|tcsh)$/, /^(?:-\w*c|--commands?)$/],
  [/awk$|^R$/, /^(?:-[ef]|--source|--file)$/],
  [/^perl$/, /^-\w*[eE]$/],
  [/^php$/, /^(?:-\w*[rf]|--run|--file)$/],
]

const TEXT_OPTION = {
  shell: /^[-+][a-np-zA-NP-Z]*c[a-np-zA-NP-Z]*$/,
  interpreter: /^(?:-\w*e|--eval)$/,
}

/** Whether the word after this one is program text, a script, or a module of a program. */
function isTextOption(
  { name, kind }: { readonly name: string; readonly kind: Kind },
  lead: string,
): boolean {
  const own = TEXT_OPTIONS.find(([program]) => program.test(name))?.[1]
  return (own ?? (kind === 'shell' ? TEXT_OPTION.shell : TEXT_OPTION.interpreter)).test(lead)
}

/** Returns the kind of the program that a fixed word names, if any. */
function getProgram(lead: string): {
  readonly name: string
  readonly kind?: Kind | undefined
} {
  const name = getName(lead)
  return { name, kind: KINDS.get(name) }
}

/** Returns `python` for `/usr/bin/python3.12`, `Python.exe` and `--entrypoint=python`. */
function getName(lead: string): string {
  const file = lead.slice(
    Math.max(
      lead.lastIndexOf('/'),
      lead.lastIndexOf('\\'),
      lead.startsWith('--') ? lead.indexOf('=') : -1,
    ) + 1,
  )
  if (file.length > 64) return ''
  const name = file.replace(/\.exe$/i, '').replace(/[-_.]?\d[\d.]*[a-z]{0,2}(?:-[\w-]+)?$/, '')
  return name === 'R' || name === 'Rscript' ? name : name.toLowerCase()
}

/** Why a word of a command cannot contain a value. */
interface Refusal {
  readonly at: 'refused'
  readonly why: 'text' | 'script' | 'program' | 'option' | 'variable'
  /** The program that would run or start the value. */
  readonly program: string
}

/** Explains the refusal, and what to write instead. */
function explain({ why, program }: Refusal, { parts }: Template): string {
  const paths = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.path]))
  const placeholder = `{{${paths[0]?.join('.') ?? ''}}}`
  const isArgument = paths.every(([root, field]) => root === 'tool' && field === 'arguments')
  const code = isArgument
    ? '; code = true of the parameter says that a model writes what is run'
    : ''
  switch (why) {
    case 'text':
      return program === 'env -S'
        ? `env splits this text into a command, so a value could start any program: write its words one by one`
        : `a value in the program text of ${program} would be run: ${suggestCommand(program, placeholder)}${code}`
    case 'script':
      return `${program} could take a value here as its script, or as an option with program text: write the script or the program text before it as a fixed word (after -- if options come before it), or a fixed beginning such as ./; or ${suggestCommand(program, placeholder)}${code}`
    case 'program':
      return `a value here could decide what ${program} starts: name the program before it, after -- if options come before it; write the value of an option in one word with it, --name=${placeholder}`
    case 'option':
      return `a value here would be part of the name of an option: write the option, then the value as a separate word, or --name=${placeholder}`
    case 'variable':
      return 'a value of this variable could decide which code is run: use another variable'
  }
}

/** What to write instead, and where the program then finds the value; by the names of programs. */
const WAYS: readonly (readonly [programs: RegExp, command: string, found: string])[] = [
  [/^py/, '"python3", "-c", "…", X', 'sys.argv[1]'],
  [/^fish$/, '"fish", "-c", "… $argv[1]", "--", X', '$argv[1]'],
  [/^(?:node|nodejs|iojs|bun|tsx|ts-node|qjs)$/, '"node", "-e", "…", "--", X', 'process.argv[1]'],
  [/^deno$/, '"deno", "run", "script.ts", X', 'Deno.args[0]'],
  [/ruby$|^irb$/, '"ruby", "-e", "…", "--", X', 'ARGV[0]'],
  [/^perl$/, '"perl", "-e", "…", "--", X', '$ARGV[0]'],
  [/^php$/, '"php", "-r", "…", "--", X', '$argv[1]'],
  [/^lua/, '"lua", "-e", "…", "-", X', 'an argument'],
  [/awk$/, '"awk", "-v", "x=X", "… x …"', 'x'],
  [/^g?sed$/, '"sed", "--sandbox", "-e", X', 'text that can neither run (e) nor write (w)'],
  [/^(?:powershell|pwsh)$/, '"pwsh", "-File", "script.ps1", X', '$args[0]'],
  [/^/, '"sh", "-c", "… \\"$1\\"", "sh", X', '"$1"'],
]

function suggestCommand(program: string, placeholder: string): string {
  const [, command = '', found = ''] = WAYS.find(([programs]) => programs.test(program)) ?? []
  const words = command.replace(/X(?=")/, () => placeholder).replace(/X$/, () => `"${placeholder}"`)
  return `give the value its own word, [${words}], which the program reads as ${found}`
}
