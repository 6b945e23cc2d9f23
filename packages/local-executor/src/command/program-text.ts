import { type Template, covers } from './template.ts'

// One rule: after the name of a program that runs text or starts programs, anywhere in the command, no value is accepted, except as an argument of a
// fixed script or text that follows the name directly: `NAME SCRIPT VALUE`, `sh -c TEXT NAME VALUE`, `node -e TEXT -- VALUE`. Programs that run, or
// start, any of their words accept no value. A tool whose command cannot be written in this way reads its arguments as JSON.

/** How a program uses its words. Each name stands without its folder, version and `.exe`. */
const PROGRAMS = {
  /** The words after a script, or after the text of `-c`, are arguments of it. */
  shell: `sh ash bash dash ksh mksh lksh oksh posh rbash yash zsh hush osh ysh python pythonw pypy py guile`,
  /** The words after a script are arguments of it. After the text of an option, options follow until `--` or the first operand. */
  interpreter: `node nodejs iojs bun deno tsx ts-node ts-node-esm qjs ruby jruby irb perl php lua luajit julia elixir racket groovy osascript Rscript
    tclsh jython graalpy micropython expect fish nu elvish xonsh csh tcsh awk gawk mawk nawk original-awk`,
  /** They run any of their words, or start the program that some of them name. */
  starter: `sed gsed ssh su runuser script cmd powershell pwsh eval watch parallel emacs emacsclient vi vim nvim gdb lldb ipython gnuplot octave
    ghc ghci runghc ocaml erl iex sbcl clisp swipl scala clojure clj R env sudo doas pkexec nice nohup setsid stdbuf xargs time busybox toybox
    ionice unshare nsenter setpriv prlimit strace ltrace catchsegv systemd-run caffeinate tini dumb-init arch timeout gtimeout chrt taskset chroot
    flock gosu su-exec make gmake npx bunx uvx pipx sqlite psql mysql mariadb duckdb ed ex view dc at wsl adb tmux firejail valgrind unbuffer run0`,
}

type ProgramKind = keyof typeof PROGRAMS

const KINDS = new Map(
  (['shell', 'interpreter', 'starter'] as const).flatMap((kind) =>
    PROGRAMS[kind].split(/\s+/).map((name): [string, ProgramKind] => [name, kind]),
  ),
)

/** The option directly after a program's name that takes its text or, of Python, a module. Programs that are not listed have none here. */
const TEXT_OPTIONS: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^py/, /^-(?:[A-Za-z]*c|m)$/],
  [/^(?:fish|nu|elvish|xonsh|t?csh)$/, /^-c$/],
  [/sh$/, /^-[abd-np-z]*c$/],
  [/^(?:node|nodejs|iojs|bun|tsx|ts-node|j?ruby|perl|julia|Rscript|osascript)$/, /^(?:-e|--eval)$/],
  [/^php$/, /^-r$/],
]

/** Words of `find` after which the name of a program follows. */
const BEFORE_PROGRAM = /^-(?:exec|ok)(?:dir)?$/

/** Variables from which programs load code, programs or libraries. */
const DECIDING =
  /^(?:--[\w-]+=|-\w)?(?:PATH|ENV|SHELL|IFS|BASH_\w+|LD_\w+|DYLD_\w+|NODE_\w+|PYTHON\w+|PERL\w+|RUBY\w+)=/

/** The check after one word of a command. `isFirst`: the program is the one that is started, so all words are its own. */
type QuoteState =
  /** No program that runs text was named. */
  | { readonly at: 'words' }
  /** Directly after the name of a program, after the option before its text, or after that text. */
  | {
      readonly at: 'name' | 'text option' | 'text'
      readonly name: string
      readonly kind: ProgramKind
      readonly isFirst: boolean
    }
  /** After a script or a text. */
  | { readonly at: 'arguments'; readonly isFirst: boolean }
  /** After a word that is neither a script nor a text. */
  | { readonly at: 'unknown'; readonly name: string; readonly isFirst: boolean }

/** One word of a command: the text before its first value, and the fixed word before it. */
interface ShellWord {
  readonly index: number
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
  let state: QuoteState = { at: 'words' }
  let before = ''
  let hasEnd = false
  for (const [index, template] of templates.entries()) {
    const word = toWord(template, { index, before, code })
    behindOptions.push(hasEnd || state.at === 'arguments')
    hasEnd ||= state.at === 'words' && word.lead === '--' && word.values === 'none'
    const reason = word.values === 'any' ? findReason(state, word, template) : undefined
    if (reason !== undefined) return { refused: { index, reason }, behindOptions }
    state = getNext(state, word)
    before = word.values === 'none' ? word.lead : ''
  }
  return { refused: undefined, behindOptions }
}

function toWord(
  { parts }: Template,
  { index, before, code }: { index: number; before: string; code: readonly string[] },
): ShellWord {
  const first = parts.findIndex((part) => typeof part !== 'string')
  const fixed = parts.slice(0, first === -1 ? undefined : first)
  const isCode = parts.every((part) => typeof part === 'string' || covers(code, part.path))
  const values = first === -1 ? 'none' : isCode ? 'code' : 'any'
  return { index, lead: fixed.map(String).join(''), before, values }
}

function getNext(state: QuoteState, word: ShellWord): QuoteState {
  const { lead } = word
  switch (state.at) {
    case 'arguments':
      // After a program that only a word named, the next word is the name of the script, or its first argument.
      return state.isFirst ? state : { at: 'words' }
    case 'unknown':
      return state
    case 'words':
      return word.values === 'none' ? getNamed(word) : state
    case 'name':
      return getAfterName(state, word)
    case 'text option':
      if (word.values === 'none' && /^[-+]/.test(lead)) return { ...state, at: 'unknown' }
      return state.kind === 'shell' ? getArguments(state) : { ...state, at: 'text' }
    case 'text':
      return word.values === 'none' && (/^--?$/.test(lead) || !/^[-+]/.test(lead))
        ? getArguments(state)
        : { ...state, at: 'unknown' }
  }
}

function getNamed({ index, lead, before }: ShellWord): QuoteState {
  const name = getName(lead)
  const kind = KINDS.get(name)
  if (!kind) return { at: 'words' }
  // As the value of an option, the name does not say where the words of that program are.
  const isKnown = kind !== 'starter' && !isOption(before) && !lead.startsWith('-')
  const isFirst = index === 0
  return isKnown ? { at: 'name', name, kind, isFirst } : { at: 'unknown', name, isFirst }
}

function getAfterName(
  state: Extract<QuoteState, { kind: ProgramKind }>,
  word: ShellWord,
): QuoteState {
  const { name, isFirst } = state
  if (word.values === 'code')
    return name.endsWith('awk') ? getArguments(state) : { at: 'unknown', name, isFirst }
  if (/^(?:deno|bun)$/.test(name) && word.lead === 'run') return state
  const isSubcommand = /^(?:deno|bun|tsx|node|nodejs)$/.test(name) && /^\w+$/.test(word.lead)
  if (isTextOption(name, word.lead)) return { ...state, at: 'text option' }
  if (isSubcommand || word.lead === '' || /^[-+]/.test(word.lead))
    return { at: 'unknown', name, isFirst }
  if (!isFirst && KINDS.has(getName(word.lead))) return getNamed({ ...word, before: '' })
  return isFirst ? getArguments(state) : { at: 'words' }
}

function getArguments({ isFirst }: { readonly isFirst: boolean }): QuoteState {
  return { at: 'arguments', isFirst }
}

/** Whether a word can take the next one as its value: not `-n5`, `-F,` and `--name=value`, which contain their value. */
function isOption(lead: string): boolean {
  return !BEFORE_PROGRAM.test(lead) && /^[-+](?!-?$|\w*\d$)[\w-]*$/.test(lead)
}

/** Whether the word after this one is the text of a program. */
function isTextOption(name: string, lead: string): boolean {
  return TEXT_OPTIONS.find(([program]) => program.test(name))?.[1].test(lead) ?? false
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
  const name = file
    .replace(/[:@].*$|\.exe$/i, '')
    .replace(/[-_.]?\d[\d.]*[a-z]{0,2}(?:-[\w-]+)?$/, '')
  return name === 'R' || name === 'Rscript' ? name : name.toLowerCase()
}

/** Says why a word cannot contain a value, and what to write instead; `undefined` if it can. */
function findReason(
  state: QuoteState,
  { lead, before }: ShellWord,
  { parts }: Template,
): string | undefined {
  if (state.at === 'arguments') return undefined
  const paths = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.path]))
  const placeholder = `{{${paths[0]?.join('.') ?? ''}}}`
  if (DECIDING.test(lead))
    return 'a value of this variable could decide which code is run: use another variable'
  if (state.at === 'words') {
    if (BEFORE_PROGRAM.test(before))
      return `a value after ${before} could decide which program is started: write that program as a fixed word`
    if (!/^--?$|^--[^=]*$/.test(lead)) return undefined
    return `a value here would be part of the name of an option: write the option, then the value as a separate word, or --name=${placeholder}`
  }
  const isArgument = paths.every(([root, field]) => root === 'tool' && field === 'arguments')
  const code = isArgument
    ? '; code = true of the parameter says that a model writes what is run'
    : ''
  return `${state.name} could run a value here: ${suggestCommand(state, placeholder)}, or write no placeholder, and let the tool read its arguments as JSON from its standard input${code}`
}

function suggestCommand(
  { at, name, isFirst }: Extract<QuoteState, { name: string }>,
  placeholder: string,
): string {
  if (at === 'text') return 'write -- before it'
  const isPython = name.startsWith('py')
  if (isFirst && (KINDS.get(name) === 'interpreter' || isPython)) {
    const script = name.endsWith('awk') ? 'its program' : 'a script'
    return `write ${script} directly after the name, ["${isPython ? 'python3' : name}", "…", "${placeholder}"]`
  }
  return `write a text of sh that uses "$1", ["sh", "-c", "… \\"$1\\"", "sh", "${placeholder}"]`
}
