import { expect, test } from 'vitest'
import type { LocalCommand } from './local-tool-definition.ts'
import { readCommand } from './command.ts'

function readSources(command: LocalCommand): readonly string[] {
  const read = readCommand(command)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return [read.command.program, ...read.command.args.map(({ source }) => source)]
}

function problems(command: LocalCommand): readonly (readonly [string, string | undefined])[] {
  const read = readCommand(command)
  return read.ok ? [] : read.problems.map(({ path, code }) => [path, code] as const)
}

test.for<[LocalCommand, string[]]>([
  ['jp-tools cargo check', ['jp-tools', 'cargo', 'check']],
  ['  a\t"b c" d\\ e \'f "g"\' ""', ['a', 'b c', 'd e', 'f "g"', '']],
  [
    'grep -e {{tool.arguments.x}} "--in={{tool.name}}"',
    ['grep', '-e', '{{tool.arguments.x}}', '--in={{tool.name}}'],
  ],
  [
    ['a b', 'c "d', ''],
    ['a b', 'c "d', ''],
  ],
  [{ program: 'a b' }, ['a b']],
  [{ program: 'a', args: ['b c'], shell: false }, ['a', 'b c']],
])('%j is split once', ([command, expected]) => {
  expect(readSources(command)).toEqual(expected)
})

test('a shell program is text for sh, and its arguments are $1, $2, …', () => {
  expect(
    readSources({ program: 'wc -l < "$1"', args: ['{{tool.arguments.path}}'], shell: true }),
  ).toEqual(['sh', '-c', 'wc -l < "$1"', 'sh', '{{tool.arguments.path}}'])
})

test('the words of a shell program are fixed, all but its arguments', () => {
  const read = readCommand({ program: 'a; b', args: ['{{tool.name}}'], shell: true })
  expect(read.ok && read.command.args.map(({ parts }) => parts)).toEqual([
    ['-c'],
    ['a; b'],
    ['sh'],
    [{ path: ['tool', 'name'] }],
  ])
})

test('two braces in shell text are written as four', () => {
  expect(readSources({ program: "docker ps --format '{{{{.Names}}'", shell: true })[2]).toBe(
    "docker ps --format '{{.Names}}'",
  )
})

test.for<[LocalCommand, string, string]>([
  ['say "hello', '/command', 'unbalanced-quotes'],
  ["say 'hello", '/command', 'unbalanced-quotes'],
  ['say hello\\', '/command', 'unbalanced-quotes'],
  ['', '/command', 'empty-command'],
  ['  ', '/command', 'empty-command'],
  ['""', '/command', 'empty-command'],
  [[], '/command', 'empty-command'],
  [[''], '/command/0', 'empty-command'],
  [{ program: '' }, '/command/program', 'empty-command'],
  [{ program: ' ', shell: true }, '/command/program', 'empty-command'],
  ['run {{tool.argument.x}}', '/command', 'unknown-placeholder'],
  [['run', 'a', '{{nope}}'], '/command/2', 'unknown-placeholder'],
  [{ program: 'run', args: ['{{nope}}'] }, '/command/args/0', 'unknown-placeholder'],
  [{ program: 'run', args: ['{{nope}}'], shell: true }, '/command/args/0', 'unknown-placeholder'],
  ['{{tool.options.program}} x', '/command', 'placeholder-in-program'],
  [
    { program: 'echo {{tool.arguments.x}}', shell: true },
    '/command/program',
    'placeholder-in-program',
  ],
  [{ program: 'echo {{.Names}}', shell: true }, '/command/program', 'placeholder-in-program'],
])('%j is invalid at %s: %s', ([command, path, code]) => {
  expect(problems(command)).toEqual([[path, code]])
})

test.for<[LocalCommand, string]>([
  ["say 'hello", "a quote is not closed or the line ends in a backslash: say 'hello"],
  ['', 'the command is empty: name the program to start'],
  [{ program: '\n', shell: true }, 'the shell program is empty: write the script for sh'],
  [
    '{{tool.name}} x',
    'no placeholder is allowed here: the program must be fixed text, so that no value decides which program is started (for two literal braces write {{{{)',
  ],
  [
    { program: 'echo {{x}}', shell: true },
    'no placeholder is allowed here: a value inside shell text would be run as shell: list the placeholder in args and use "$1", "$2", … here (for two literal braces write {{{{)',
  ],
])('%j gives the message: %s', ([command, message]) => {
  const read = readCommand(command)
  expect(!read.ok && read.problems.map((problem) => problem.message)).toEqual([message])
})

test('a refused word is named by its place in the written command', () => {
  const locate = (command: LocalCommand): unknown => problems(command)
  const code = 'placeholder-in-program'
  const x = '{{tool.arguments.x}}'
  expect(locate(`sh -c ${x}`)).toEqual([['/command', code]])
  expect(locate(['sh', '-c', x])).toEqual([['/command/2', code]])
  expect(locate({ program: 'sh', args: ['-c', x] })).toEqual([['/command/args/1', code]])
  expect(locate({ program: 'sh', args: ['-c', 'a', 'sh', x], shell: false })).toEqual([])
})

test('an argument has its place in the definition', () => {
  const places = (command: LocalCommand): unknown => {
    const read = readCommand(command)
    return read.ok && read.command.args.map(({ at }) => at)
  }
  expect(places('a b c')).toEqual(['/command', '/command'])
  expect(places(['a', 'b', 'c'])).toEqual(['/command/1', '/command/2'])
  expect(places({ program: 'a', args: ['b'] })).toEqual(['/command/args/0'])
  const program = '/command/program'
  expect(places({ program: 'a', args: ['b'], shell: true })).toEqual([
    program,
    program,
    program,
    '/command/args/0',
  ])
})

test('every invalid argument is reported', () => {
  expect(problems(['run', '{{a}}', 'b', '{{c}}']).map(([path]) => path)).toEqual([
    '/command/1',
    '/command/3',
  ])
})
