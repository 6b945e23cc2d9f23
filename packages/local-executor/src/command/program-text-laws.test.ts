import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCommand } from './command.ts'

const X = '{{tool.arguments.x}}'

/** Returns the place of the word that is refused. */
function refusal(command: readonly string[]): string | undefined {
  const read = readCommand(command)
  return read.ok ? undefined : read.problems[0]?.path
}

/** Programs, grouped by how they use their words, as SECURITY.md lists them. */
const SHELLS = 'sh bash dash ksh zsh /bin/sh bash-5.2 python python3 python3.12 /usr/bin/python3'
const INTERPRETERS =
  'node nodejs bun ruby ruby3.2 perl perl5.36 php lua5.4 Rscript osascript julia Node.exe'
const RUN_ALL = 'ssh su runuser cmd cmd.exe eval watch parallel powershell vim script'
const AWKS = 'awk gawk /usr/bin/mawk original-awk'

const getOne = (names: string): fc.Arbitrary<string> => fc.constantFrom(...names.split(' '))
const getLine = (lines: string): fc.Arbitrary<readonly string[]> =>
  fc.constantFrom(...lines.split('|')).map((line) => line.split(' ').filter((word) => word !== ''))
/** What may come before a program: options of starters, and unknown programs. */
const before = getLine(
  '|env A=b|env -u A|sudo -u ada|sudo -E --|timeout -k 5 10|nice -n 5|nohup|xargs -0|busybox|flock /lock|' +
    'docker exec -i box|prlimit --nproc=9|find . -exec|unknown|unknown --flag=1 word|a/b -x y z',
)
const option = fc
  .stringMatching(/^-{1,2}[a-z]{1,6}$/)
  .filter((word) => !/^-\w*[cmepr]$|^-m/.test(word))
const anyWord = fc.oneof(fc.string({ minLength: 1 }), option, fc.constantFrom('-c', '-e', '--'))
const fixed = anyWord.map((word) => word.replaceAll('{{', '{{{{'))

describe('for a program at any place of the command', () => {
  test('a value directly after its name, or after options, is refused', () => {
    const all = getOne([SHELLS, INTERPRETERS, RUN_ALL, AWKS].join(' '))
    fc.assert(
      fc.property(before, all, fc.array(option, { maxLength: 3 }), (start, name, options) => {
        expect(refusal([...start, name, ...options, X])).toBe(
          `/command/${start.length + 1 + options.length}`,
        )
      }),
    )
  })

  test('a value as its text is refused, alone and inside more text', () => {
    const text = fc.tuple(fc.string(), fc.string()).map(([a, b]) => {
      const [first, last] = [a, b].map((part) => part.replaceAll(/[{}]/g, ''))
      return `${first}${X}${last}`
    })
    const behind = fc.oneof(
      getOne(SHELLS).map((name) => [name, '-c']),
      getOne('node nodejs bun ruby perl Rscript osascript').map((name) => [name, '-e']),
      getOne('node bun').map((name) => [name, '--eval']),
      getOne(AWKS).map((name) => [name]),
      getOne(AWKS).map((name) => [name, '-v', 'a=1', '-F,']),
      fc.constant(['php', '-r']),
      fc.tuple(getOne(RUN_ALL), fc.array(fixed)).map(([name, fixedWords]) => [name, ...fixedWords]),
    )
    fc.assert(
      fc.property(before, behind, text, (start, fixedWords, value) => {
        expect(refusal([...start, ...fixedWords, value])).toBe(
          `/command/${start.length + fixedWords.length}`,
        )
      }),
    )
  })

  test('a value after its fixed text is accepted, with any words between', () => {
    const commands = fc.oneof(
      getOne('sh bash dash ksh zsh python python3.12').map((name) => [name, '-c', 'text']),
      getOne('node ruby perl Rscript').map((name) => [name, '-e', 'text', '--']),
      fc.constant(['php', '-r', 'text', '--']),
      fc.constant(['python3', '-m', 'module']),
      getOne(`${SHELLS} ${INTERPRETERS}`).map((name) => [name, 'tools/x']),
    )
    fc.assert(
      fc.property(commands, fc.array(fixed), (command, between) => {
        expect(refusal([...command, ...between, X])).toBeUndefined()
      }),
    )
  })

  test('a value after any words of a program that runs or starts its words is refused', () => {
    const anyWords = fc.array(fixed)
    const all = getOne(`${RUN_ALL} sed env sudo timeout xargs nice time`)
    fc.assert(
      fc.property(before, all, anyWords, (start, name, between) => {
        expect(refusal([...start, name, ...between, X])).toBe(
          `/command/${start.length + 1 + between.length}`,
        )
      }),
    )
  })
})

test('a command without a value is never refused', () => {
  fc.assert(
    fc.property(
      before,
      fc.array(fc.oneof(fixed, getOne(`${SHELLS} ${RUN_ALL} ${AWKS} env -exec`))),
      (start, others) => {
        expect(refusal(['a', ...start, ...others])).toBeUndefined()
      },
    ),
  )
})

describe('an argument that a model writes to be run', () => {
  const read = (command: readonly string[], codeArguments: readonly string[]): boolean =>
    readCommand(command, { codeArguments }).ok

  test.for<readonly string[]>([
    ['sh', '-c', X],
    ['python3', '-c', `print(${X})`],
    ['awk', X],
    ['ssh', 'host', X],
    ['sed', X],
    ['env', '-S', X],
    ['timeout', '5', 'bash', '-c', X],
  ])('is accepted in %j', (command) => {
    expect(read(command, ['x'])).toBe(true)
    expect(read(command, ['y'])).toBe(false)
  })

  test('includes its parts, and not another argument in the same word', () => {
    expect(read(['sh', '-c', '{{tool.arguments.x.a.0}}'], ['x'])).toBe(true)
    expect(read(['sh', '-c', '{{tool.arguments.x.a}}'], ['x.a'])).toBe(true)
    expect(read(['sh', '-c', '{{tool.arguments.x.3.a}}'], ['x.*.a'])).toBe(true)
    expect(read(['sh', '-c', '{{tool.arguments.x.a}}'], ['x.b'])).toBe(false)
    expect(read(['sh', '-c', '{{tool.arguments.x}}'], ['x.a'])).toBe(false)
    expect(read(['sh', '-c', '{{tool.arguments}}'], ['x'])).toBe(false)
    expect(read(['sh', '-c', '{{tool.answers.x}}'], ['x'])).toBe(false)
    expect(read(['sh', '-c', `${X} {{tool.arguments.y}}`], ['x'])).toBe(false)
    expect(read(['sh', '-c', `${X} {{tool.arguments.y}}`], ['x', 'y'])).toBe(true)
  })

  test('is accepted only as program text: the same argument in another place follows the usual rule', () => {
    expect(read(['sh', '-c', X, 'sh', '{{tool.arguments.y}}'], ['x'])).toBe(true)
    expect(read(['python3', X, '{{tool.arguments.y}}'], ['x'])).toBe(false)
  })
})
