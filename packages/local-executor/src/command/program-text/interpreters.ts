/** A program that runs what one of its arguments says. */
export interface Interpreter {
  /** Its file name, without folder, version and `.exe`. */
  readonly names: readonly string[]
  /** An option that carries program text: in the same word (the first group), else in the next. */
  readonly code?: RegExp
  /** An option after which the first operand is program text. */
  readonly codeOperand?: RegExp
  /** An option after which every word is program text. */
  readonly codeRest?: RegExp
  /** An option that takes the next word as a value of another kind. */
  readonly valued?: RegExp
  /** An option with a value of another kind in the same word. */
  readonly attached?: RegExp
  /** An option that names what is run, as a script does: the words after it are that program's. */
  readonly script?: RegExp
  /** Whether the words behind its program text are that program's, also those that begin with a dash. */
  readonly endsWithCode?: true
  /** Whether it reads options behind operands too. */
  readonly permutes?: true
  /** What the first operand is: a script, whose arguments follow, or program text; `rest` is every word after it. */
  readonly operand: 'script' | 'code' | 'all' | 'rest'
  /** Where the program finds a value that is a word of its own, and how the command is written then. */
  readonly way: string
}

const positional = (command: string, found: string): string =>
  `give the value a word of its own, ${command}, which the program reads as ${found}`

const x = '"{{tool.arguments.x}}"'

/** The programs whose text is checked. */
export const INTERPRETERS: readonly Interpreter[] = [
  {
    names: 'sh ash bash dash ksh mksh rbash yash zsh hush csh tcsh'.split(' '),
    codeOperand: /^[-+][A-Za-z]*c[A-Za-z]*$/,
    valued: /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/,
    operand: 'script',
    way: positional(`["sh", "-c", "… \\"$1\\"", "sh", ${x}]`, '"$1"'),
  },
  {
    names: ['fish', 'nu', 'elvish', 'xonsh'],
    endsWithCode: true,
    code: /^(?:-[Cc]|--(?:init-)?commands?(?:=|$))(.*)/s,
    valued: /^-[df]$|^--(?:features|debug-output|profile|rc|config)$/,
    operand: 'script',
    way: positional(`["fish", "-c", "… $argv[1]", ${x}]`, '$argv[1]'),
  },
  {
    names: ['python', 'pythonw', 'pypy', 'py', 'ipython'],
    endsWithCode: true,
    code: /^-[bBdEhiIOPqsSuvVx?]*c(.*)/s,
    valued: /^-[bBdEhiIOPqsSuvVx?]*[WXQ]$|^--check-hash-based-pycs$/,
    attached: /^-[WXQ]/,
    script: /^-[bBdEhiIOPqsSuvVx?]*m/,
    operand: 'script',
    way: positional(`["python3", "-c", "…", ${x}]`, 'sys.argv[1]'),
  },
  {
    names: ['node', 'nodejs', 'bun', 'tsx', 'ts-node', 'qjs', 'iojs'],
    code: /^(?:-pe|-e|-p|-r|--(?:eval|print|require|import|loader|experimental-loader|preload)(?=$|=))=?(.*)/s,
    valued:
      /^(?:-C|--(?:conditions|env-file|env-file-if-exists|input-type|title|icu-data-dir|openssl-config|watch-path|disable-warning|redirect-warnings|unhandled-rejections|dns-result-order|inspect-port|diagnostic-dir|cwd|config|tsconfig))$/,
    operand: 'script',
    way: positional(`["node", "-e", "…", "--", ${x}]`, 'process.argv[1]'),
  },
  {
    names: ['deno'],
    code: /^--eval(?=$|=)=?(.*)/s,
    codeOperand: /^eval$/,
    valued: /^(?:-c|--(?:config|import-map|ext|cert|env-file|log-level|location|lock|seed))$/,
    operand: 'script',
    way: positional(`["deno", "eval", "…", "--", ${x}]`, 'Deno.args[0]'),
  },
  {
    names: ['ruby', 'jruby', 'irb'],
    code: /^-[acdlnpsSUvwy0-9]*e(.*)/s,
    valued: /^-[acdlnpsSUvwy0-9]*[ICEr]$|^--encoding$/,
    attached: /^-[FICEKrWTix]|^--/,
    operand: 'script',
    way: positional(`["ruby", "-e", "…", "--", ${x}]`, 'ARGV[0]'),
  },
  {
    names: ['perl'],
    code: /^-(?:[mM]|[acfilnpsStTuUvwWX0-9]*[eE])(.*)/s,
    // With -n and -p, Perl runs an argument such as "id|" as a command.
    codeRest: /^-[acfilsStTuUvwWX0-9]*[np]/,
    valued: /^-I$/,
    attached: /^-[FICDVx]|^-i\./,
    operand: 'script',
    way: positional(`["perl", "-e", "…", "--", ${x}]`, '$ARGV[0]'),
  },
  {
    names: ['php'],
    code: /^(?:-[aeHimnqsvw]*[rBRE]|--(?:run|process-begin|process-code|process-end)(?=$|=))=?(.*)/s,
    valued: /^-[cdfFzStT]$|^--(?:php-ini|define|file|server|docroot|zend-extension)$/,
    attached: /^-[d]/,
    operand: 'script',
    way: positional(`["php", "-r", "…", "--", ${x}]`, '$argv[1]'),
  },
  {
    names: ['lua', 'luajit', 'julia', 'elixir', 'racket', 'groovy', 'osascript', 'Rscript', 'R'],
    code: /^(?:-[i]?[eE]|--(?:eval|print)(?=$|=))=?(.*)/s,
    valued: /^-[lsLpr]$/,
    operand: 'script',
    way: positional(`["lua", "-e", "…", "-", ${x}] or a script file,`, 'an argument'),
  },
  {
    // The words of su and script are given to a shell.
    names: ['guile', 'su', 'runuser', 'script', 'emacs', 'emacsclient'],
    code: /^(?:-[A-Za-z]*[ce]|--(?:command|session-command|eval)(?=$|=))=?(.*)/s,
    valued: /^-[gGswTLl]$/,
    permutes: true,
    operand: 'script',
    way: 'let the program read the JSON document on stdin, which has the same values',
  },
  {
    names: ['awk', 'gawk', 'mawk', 'nawk', 'original-awk'],
    code: /^(?:-e|--source(?=$|=)=?)(.*)/s,
    valued: /^(?:-[vFil]|--(?:assign|field-separator|include|load))$/,
    attached: /^-[vF]/,
    script: /^(?:-[fE]|--(?:file|exec))/,
    operand: 'code',
    way: positional(`["awk", "-v", "x={{tool.arguments.x}}", "… x …"]`, 'x'),
  },
  {
    names: ['sed', 'gsed'],
    code: /^(?:-[nrEsuz]*e|--expression(?=$|=)=?)(.*)/s,
    valued: /^(?:-l|--line-length)$/,
    script: /^(?:-[nrEsuz]*f|--file|--sandbox$)/,
    permutes: true,
    operand: 'code',
    way: 'sed runs commands (e) and writes files (w): write --sandbox before its text, or use a tool that takes the value as an argument',
  },
  {
    names: ['powershell'],
    codeRest: /^[-/](?:c|co|com|comm.*|e|ec|en|enc.*)$/i,
    valued: /^[-/](?:ex|ep|v|w|psc|inp|o|conf)/i,
    script: /^[-/]f/i,
    operand: 'all',
    way: 'write a script file and start it with -File, the values after it',
  },
  {
    names: ['pwsh'],
    codeRest: /^[-/](?:c|co|com|comm.*|e|ec|en|enc.*|cwa)$/i,
    valued: /^[-/](?:ex|ep|v|w|psc|inp|o|conf|set|cus)/i,
    script: /^[-/]f/i,
    operand: 'script',
    way: 'write a script file and start it with -File, the values after it',
  },
  {
    names: ['cmd'],
    operand: 'all',
    way: 'start the program itself: cmd reads its whole line as program text',
  },
  {
    names: ['ssh'],
    code: /^-o(.*)/s,
    valued: /^-[bcDEeFIiJLlmOpQRSWw]$/,
    operand: 'rest',
    way: 'the other machine gives all words to a shell: let a program there read the JSON document on stdin',
  },
  {
    names: ['eval', 'watch', 'parallel'],
    valued: /^(?:-[njI]|--(?:interval|jobs))$/,
    operand: 'all',
    way: 'start the program itself: these words are given to a shell',
  },
]
