import { describe, expect, test } from 'vitest'
import { readCommand } from './command.ts'

const X = '{{tool.arguments.x}}'

function reasonOf(words: readonly string[]): string | undefined {
  const read = readCommand(words)
  return read.ok ? undefined : read.problems[0]?.message
}

describe('a refusal says what was refused, why, and what to write instead', () => {
  const code = '; code = true of the parameter says that a model writes what is run'
  test.for([
    ['sh', '["sh", "-c", "… \\"$1\\"", "sh", "{{tool.arguments.x}}"]', '"$1"'],
    ['fish', '["fish", "-c", "… $argv[1]", "--", "{{tool.arguments.x}}"]', '$argv[1]'],
    ['python', '["python3", "-c", "…", "{{tool.arguments.x}}"]', 'sys.argv[1]'],
    ['node', '["node", "-e", "…", "--", "{{tool.arguments.x}}"]', 'process.argv[1]'],
    ['ruby', '["ruby", "-e", "…", "--", "{{tool.arguments.x}}"]', 'ARGV[0]'],
    ['perl', '["perl", "-e", "…", "--", "{{tool.arguments.x}}"]', '$ARGV[0]'],
    ['php', '["php", "-r", "…", "--", "{{tool.arguments.x}}"]', '$argv[1]'],
    ['lua', '["lua", "-e", "…", "-", "{{tool.arguments.x}}"]', 'an argument'],
    ['awk', '["awk", "-v", "x={{tool.arguments.x}}", "… x …"]', 'x'],
    [
      'sed',
      '["sed", "--sandbox", "-e", "{{tool.arguments.x}}"]',
      'text that can neither run (e) nor write (w)',
    ],
    ['pwsh', '["pwsh", "-File", "script.ps1", "{{tool.arguments.x}}"]', '$args[0]'],
    ['ssh', '["sh", "-c", "… \\"$1\\"", "sh", "{{tool.arguments.x}}"]', '"$1"'],
  ] as const)('a value in the program text of %s', ([name, command, found]) => {
    const option = name === 'php' ? '-r' : /^(?:sh|fish|python)$/.test(name) ? '-c' : '-e'
    const words = name === 'awk' ? [name, X] : [name, option, X]
    expect(reasonOf(words)).toBe(
      `no placeholder can stand in ${X}: a value in the program text of ${name} would be run: give the value a word of its own, ${command}, which the program reads as ${found}${code}`,
    )
  })

  test('a value that names the script of deno', () => {
    expect(reasonOf(['deno', 'run', X])).toContain(`["deno", "run", "script.ts", "${X}"]`)
  })

  test.for<[readonly string[], string]>([
    [
      ['env', 'python3', X],
      `python could take a value here as its script, or as an option, which can hold program text: write the script or the program text before it as a fixed word (behind -- where options stand before that), or a fixed beginning such as ./; or give the value a word of its own, ["python3", "-c", "…", "${X}"], which the program reads as sys.argv[1]${code}`,
    ],
    [
      ['sudo', '-u', X, 'ls'],
      `a value here could decide what sudo starts: name the program before it, behind -- where options stand before that; the value of an option stands in one word with it, --name=${X}`,
    ],
    [
      ['rg', `--${X}`],
      `a value here would be part of the name of an option: write the option, then the value as a word of its own, or --name=${X}`,
    ],
    [
      ['env', `PATH=${X}`, 'ls'],
      'a value of this variable could decide what is run: set it with another name',
    ],
    [
      ['env', '-S', `sh -c ${X}`],
      'env makes a command of this text, so that a value could start anything: write its words one by one',
    ],
  ])('of %j', ([words, reason]) => {
    expect(reasonOf(words)?.split(': ').slice(1).join(': ')).toBe(reason)
  })

  test('the placeholder is the one of the command; what is no argument is never said to be code', () => {
    const answer = '{{tool.answers.y}}'
    expect(reasonOf(['sh', '-c', `echo ${answer}`])).toBe(
      `no placeholder can stand in echo ${answer}: a value in the program text of sh would be run: give the value a word of its own, ["sh", "-c", "… \\"$1\\"", "sh", "${answer}"], which the program reads as "$1"`,
    )
  })
})
