import { expect, test } from 'vitest'
import { INTERPRETERS } from './interpreters.ts'
import { kindOf, type WordKind } from './word-kind.ts'

type Kinds = Readonly<Partial<Record<WordKind, string>>>

/** By interpreter, what words are to it: fixed ones, and below, where it differs, those that a value goes on. */
const FIXED: Readonly<Record<string, Kinds>> = {
  sh: {
    'end-of-options': '--',
    'code-operand': '-c -lc -cl +c -euc',
    valued: '-o -eo +O -xO --rcfile --init-file',
    option: '-c1 -1c -o1 --rcfile=x - -x --norc',
    operand: 'x--rcfile x-c x-o xc script.sh',
  },
  fish: {
    'code-next': '-c -C --command --commands --command= --init-command --init-commands',
    code: '-cx -Cx --command=x --init-command=x',
    valued: '-d -f --features --debug-output --profile --rc --config',
    option: '-dx --rc=x -x --commandx',
    operand: 'x-c x-d x--rc x--command a.fish',
  },
  python: {
    'code-next': '-c -Bc -bBdEhiIOPqsSuvVx?c',
    code: '-cprint',
    valued: '-W -X -Q -BW --check-hash-based-pycs',
    option: '-Wc -Wx -Wignore --check-hash-based-pycs=x -u --version',
    script: '-m -Bm -mx',
    operand: 'x-c x-W x-m x--check-hash-based-pycs x.py',
  },
  node: {
    'code-next':
      '-e -p -pe -r --eval --print --require --import --loader --experimental-loader --preload --eval=',
    code: '-ex -pex --eval=x --import=x',
    valued:
      '-C --conditions --env-file --env-file-if-exists --input-type --title --icu-data-dir --openssl-config --watch-path --disable-warning --redirect-warnings --unhandled-rejections --dns-result-order --inspect-port --diagnostic-dir --cwd --config --tsconfig',
    option: '--evalx --titlex -Cx --watch',
    operand: 'x--eval x-e x--title x-C x.mjs',
  },
  deno: {
    'code-next': '--eval',
    code: '--eval=x',
    'code-operand': 'eval',
    valued: '-c --config --import-map --ext --cert --env-file --log-level --location --lock --seed',
    option: '--evalx --locks -A',
    operand: 'x--eval evalx xeval x-c run',
  },
  ruby: {
    'code-next': '-e -ne -acdlnpsSUvwy09e',
    code: '-ep',
    valued: '-I -C -E -r -nI -acdlnpsSUvwy09r --encoding',
    option: '--encodings -F -K -W -T -i -x --jit -n',
    operand: 'x-e x-I x-F x--encoding x.rb',
  },
  perl: {
    'code-next': '-e -E -ne -m -M -acfilnpsStTuUvwWX09e',
    code: '-MList -eprint',
    'code-rest': '-n -p -an -na -acfilsStTuUvwWX09p',
    valued: '-I',
    option: '-Ix -F -D -V -C -x -i. -i.bak -i -w',
    operand: 'x-e x-M x-n x-I x-i. x-F x.pl',
  },
  php: {
    'code-next': '-r -B -R -E -nr -aeHimnqsvwr --run --process-begin --process-code --process-end',
    code: '-rx --run=x',
    valued: '-c -d -f -F -z -S -t -T --php-ini --define --file --server --docroot --zend-extension',
    option: '--runs -dx --defines -d1 -n',
    operand: 'x-r x--run x-c x-d x--define x.php',
  },
  lua: {
    'code-next': '-e -E -ie --eval --print',
    code: '-ex --eval=x',
    valued: '-l -s -L -p -r',
    option: '--evals -lx -i -je',
    operand: 'x-e x--eval x-l x.lua',
  },
  su: {
    'code-next': '-c -lc -e --command --session-command --eval',
    code: '-cx --command=x',
    valued: '-g -G -s -w -T -L -l',
    option: '--commands -gx -m -1c',
    operand: 'x--command x-c x-g ada',
  },
  awk: {
    'code-next': '-e --source',
    code: '-eBEGIN --source=x',
    valued: '-v -F -i -l --assign --field-separator --include --load',
    option: '--sources --assigns -vx -Fx -x',
    script: '-f -E -fx --file --file=x --exec',
    operand: 'x-e x--source x-v x-vx x-f x--file prog',
  },
  sed: {
    'code-next': '-e -ne -nrEsuze --expression',
    code: '-es/a/b/ --expression=x',
    valued: '-l --line-length',
    option: '--expressions -lx --sandboxx -n',
    script: '-f -nf -nrEsuzf --file --file=x --sandbox',
    operand: 'x-e x--expression x-l x-f x--file x--sandbox s/a/b/',
  },
  powershell: {
    'code-rest': '-c -C /c -co -com -comm -Command -e -ec -en -enc -EncodedCommand',
    valued: '-ex -ExecutionPolicy -ep -v -w -psc -inp -o -conf /V',
    option: '-cx -NoProfile -con',
    script: '-f /F -File',
    operand: 'x-c x-ex x-f a',
  },
  pwsh: {
    'code-rest': '-c /c -co -com -Command -e -ec -en -enc -cwa -CommandWithArgs',
    valued: '-ex -ep -v -w -psc -inp -o -conf -set -cus /V',
    option: '-cx -NoProfile -cw',
    script: '-f -File',
    operand: 'x-c x-ex x-f a',
  },
  ssh: {
    'code-next': '-o',
    code: '-oX',
    valued: '-b -c -D -E -e -F -I -i -J -L -l -m -O -p -Q -R -S -W -w',
    option: '-bx -v',
    operand: 'x-o x-b host',
  },
  watch: {
    valued: '-n -j -I --interval --jobs',
    option: '-nx --intervals -d',
    operand: 'x-n x--jobs ls',
  },
  cmd: { operand: '/c a', option: '-x' },
}

const GOING_ON: Readonly<Record<string, Kinds>> = {
  sh: {
    'code-operand': '-c -lc',
    'changing-option': '-o -- - -x --rcfile',
    option: '--rcfile=x',
    operand: 'script.sh',
  },
  python: { option: '-W -Wx --a=x', 'changing-option': '-BW -u', script: '-m', operand: 'x=y' },
  node: { 'code-next': '--eval=', 'changing-option': '--title -C -x=y', option: '--title=x' },
  ruby: { option: '-I -r -F --encoding --jit', 'changing-option': '-nI -n' },
  perl: { option: '-I -Ix -i.', 'changing-option': '-i -w' },
  php: { option: '-d -dx', 'changing-option': '-c --define' },
  awk: { option: '-v -F -vx', 'changing-option': '-i --assign' },
}

const table = (kinds: Readonly<Record<string, Kinds>>): (readonly [string, string, string])[] =>
  Object.entries(kinds).flatMap(([name, of]) =>
    Object.entries(of).map(([kind, words]) => [name, kind, words] as const),
  )

/** Of these words, those that are of another kind. */
function othersOf(
  [name, kind, words]: readonly [string, string, string],
  place: 'fixed' | 'going-on',
): readonly string[] {
  const interpreter = INTERPRETERS.find(({ names }) => names.includes(name))
  if (!interpreter) return [`no interpreter ${name}`]
  return words
    .split(' ')
    .filter((lead) => kindOf(interpreter, { index: 0, lead, isFixed: place === 'fixed' }) !== kind)
}

test.for(table(FIXED))('to %s is %s: %s', (row) => {
  expect(othersOf(row, 'fixed')).toEqual([])
})

test.for(table(GOING_ON))('to %s is %s, where a value goes on: %s', (row) => {
  expect(othersOf(row, 'going-on')).toEqual([])
})

test.for([
  ['sh', '["sh", "-c", "… \\"$1\\"", "sh", "{{tool.arguments.x}}"]', '"$1"'],
  ['fish', '["fish", "-c", "… $argv[1]", "{{tool.arguments.x}}"]', '$argv[1]'],
  ['python', '["python3", "-c", "…", "{{tool.arguments.x}}"]', 'sys.argv[1]'],
  ['node', '["node", "-e", "…", "--", "{{tool.arguments.x}}"]', 'process.argv[1]'],
  ['deno', '["deno", "eval", "…", "--", "{{tool.arguments.x}}"]', 'Deno.args[0]'],
  ['ruby', '["ruby", "-e", "…", "--", "{{tool.arguments.x}}"]', 'ARGV[0]'],
  ['perl', '["perl", "-e", "…", "--", "{{tool.arguments.x}}"]', '$ARGV[0]'],
  ['php', '["php", "-r", "…", "--", "{{tool.arguments.x}}"]', '$argv[1]'],
  ['lua', '["lua", "-e", "…", "-", "{{tool.arguments.x}}"] or a script file,', 'an argument'],
  ['awk', '["awk", "-v", "x={{tool.arguments.x}}", "… x …"]', 'x'],
] as const)('a value for %s is passed as %s', ([name, command, found]) => {
  expect(INTERPRETERS.find(({ names }) => names.includes(name))?.way).toBe(
    `give the value a word of its own, ${command}, which the program reads as ${found}`,
  )
})

test('every interpreter says how a value is passed instead', () => {
  for (const { way } of INTERPRETERS) expect(way).toMatch(/\b(?:give|let|write|start)\b.{20}/)
})

test('interpreters are known by all of their names', () => {
  expect(INTERPRETERS.map(({ names }) => names.join(' '))).toEqual([
    'sh ash bash dash ksh mksh rbash yash zsh hush csh tcsh',
    'fish nu elvish xonsh',
    'python pythonw pypy py ipython',
    'node nodejs bun tsx ts-node qjs iojs',
    'deno',
    'ruby jruby irb',
    'perl',
    'php',
    'lua luajit julia elixir racket groovy osascript Rscript R',
    'guile su runuser script emacs emacsclient',
    'awk gawk mawk nawk original-awk',
    'sed gsed',
    'powershell',
    'pwsh',
    'cmd',
    'ssh',
    'eval watch parallel',
  ])
})
