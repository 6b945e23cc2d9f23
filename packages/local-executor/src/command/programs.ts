/** What a program does with its words. */
export type Kind = 'shell' | 'interpreter' | 'runs-all' | 'starter'

/** By name, without folder, version and `.exe`. */
const KINDS = new Map<string, Kind>([
  // They run the text behind -c, or the script that is their first operand; the rest is given to that.
  ...named(
    'shell',
    `sh ash bash dash ksh mksh lksh oksh posh rbash yash zsh hush osh ysh python pythonw pypy py guile`,
  ),
  // They run the text behind -e or the like, and go on reading options behind it, up to -- or an operand.
  ...named(
    'interpreter',
    `node nodejs iojs bun deno tsx ts-node ts-node-esm qjs ruby jruby irb perl php lua luajit julia elixir racket groovy osascript
     Rscript R tclsh expect fish nu elvish xonsh csh tcsh awk gawk mawk nawk original-awk`,
  ),
  // They run any of their words, or give all of them to a shell.
  ...named(
    'runs-all',
    `sed gsed ssh su runuser script cmd powershell pwsh eval watch parallel emacs emacsclient vi vim nvim gdb
     lldb ipython gnuplot octave ghc ghci runghc ocaml erl iex sbcl clisp swipl scala clojure clj`,
  ),
  // They start what stands behind their options and assignments, and some of them behind an operand.
  ...named(
    'starter',
    `env sudo doas pkexec nice nohup setsid stdbuf xargs time exec command builtin busybox toybox ionice unshare nsenter
     setpriv prlimit strace ltrace catchsegv systemd-run caffeinate tini dumb-init arch timeout gtimeout chrt taskset
     chroot flock gosu su-exec`,
  ),
])
/** Starters that take an operand before the program. */
export const WITH_OPERAND = /^(?:g?timeout|chrt|taskset|chroot|flock|gosu|su-exec)$/

function named(kind: Kind, names: string): [string, Kind][] {
  return names.split(/\s+/).map((name) => [name, kind])
}

/** What program text, a script or a module stands behind, where that is not the `-c` of shells and `-e` of interpreters. */
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
/** Whether the word behind this one is program text, a script, or a module of a program. */
export function isTextOption(
  { name, kind }: { readonly name: string; readonly kind: Kind },
  lead: string,
): boolean {
  const own = TEXT_OPTIONS.find(([program]) => program.test(name))?.[1]
  return (own ?? (kind === 'shell' ? TEXT_OPTION.shell : TEXT_OPTION.interpreter)).test(lead)
}

/** What the program does that a fixed word names, if any. */
export function programOf(lead: string): {
  readonly name: string
  readonly kind?: Kind | undefined
} {
  const name = nameOf(lead)
  return { name, kind: KINDS.get(name) }
}

/** `/usr/bin/python3.12`, `Python.exe` and `--entrypoint=python` are `python`. */
function nameOf(lead: string): string {
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
