import { expect, test } from 'vitest'
import { readCommand } from '../command.ts'

const X = '{{tool.arguments.x}}'

function refusal(words: readonly string[]): string | undefined {
  const read = readCommand(words)
  if (read.ok) return undefined
  expect(read.problems).toMatchObject([{ code: 'placeholder-in-program' }])
  return read.problems[0]?.path
}

/** In each, the last word with the value is the one that is refused. */
const REFUSED = [
  ['sh', '-c', `echo ${X}`],
  ['sh', '-c', X],
  ['/bin/sh', '-c', X],
  ['bash', '-lc', X],
  ['bash', '-ec', X],
  ['bash', '-c', '-e', X],
  ['bash', '-c', '--', X],
  ['bash', '-euo', 'pipefail', '-c', X],
  ['bash', '--norc', '--rcfile', 'x', '-c', X],
  ['bash', '-o', 'pipefail', '-c', X],
  ['bash-5.2', '-c', X],
  ['dash', '+x', '-c', X],
  ['zsh', '-fc', X],
  ['ksh', '-c', X],
  ['fish', '-c', X],
  ['fish', `--command=${X}`],
  ['fish', '-C', X],
  ['sh', X],
  ['sh', '-x', X],
  ['sh', `-${X}`],
  ['python', '-c', X],
  ['python3.12', '-Bc', `print(${X})`],
  ['python3', '-W', 'ignore', '-c', X],
  ['python3', `-c${X}`],
  ['python3', X],
  ['/usr/bin/python3', '-u', '-c', X],
  ['node', '-e', X],
  ['node', '--eval', X],
  ['node', `--eval=${X}`],
  ['node', '-p', X],
  ['node', '--print', X],
  ['node', '-pe', X],
  ['node', '--input-type', 'module', '-e', X],
  ['node', '-e', 'console.log(process.argv[1])', X],
  ['node', `--import=${X}`],
  ['node', '-r', X],
  ['nodejs', '-e', X],
  ['deno', 'eval', X],
  ['deno', 'eval', '--ext', 'ts', X],
  ['deno', '--quiet', 'eval', X],
  ['bun', '-e', X],
  ['ruby', '-e', X],
  ['ruby', '-ne', X],
  ['ruby', '-e', 'p ARGV', X],
  ['perl', '-e', X],
  ['perl', '-E', X],
  ['perl', '-ne', X],
  ['perl', '-pe', X],
  ['perl', '-i.bak', '-pe', X],
  ['perl', '-MList::Util', '-e', X],
  ['perl', `-M${X}`],
  ['perl', '-ne', 'print', '--', X],
  ['php', '-r', X],
  ['php', '-nr', X],
  ['php', '-d', 'x=1', '-r', X],
  ['lua5.4', '-e', X],
  ['lua', '-l', 'x', '-e', X],
  ['Rscript', '-e', X],
  ['osascript', '-e', X],
  ['osascript', '-l', 'JavaScript', '-e', X],
  ['awk', X],
  ['awk', `{print ${X}}`],
  ['gawk', '-F', ',', X],
  ['awk', '-v', 'a=1', '--', X],
  ['gawk', '-e', X],
  ['sed', X],
  ['sed', '-n', `${X}p`],
  ['sed', '-e', X],
  ['sed', 's/a/b/', X],
  ['pwsh', '-Command', X],
  ['pwsh', '-NoProfile', '-c', 'echo', X],
  ['pwsh', '-EncodedCommand', X],
  ['powershell.exe', '-ExecutionPolicy', 'Bypass', '-Command', X],
  ['powershell', 'Get-Item', X],
  ['cmd', '/c', 'echo', X],
  ['C:\\Windows\\System32\\cmd.exe', '/d', '/s', '/c', X],
  ['su', '-c', X],
  ['su', 'ada', '-c', X],
  ['ssh', 'host', 'ls', X],
  ['ssh', X],
  ['ssh', '-o', X],
  ['eval', X],
  ['watch', '-n', '1', X],
  ['env', 'sh', '-c', X],
  ['env', '-i', 'sh', '-c', X],
  ['env', 'A=b', '-u', 'bash', 'sh', '-c', X],
  ['env', `A=${X}`, 'sh', '-c', X],
  ['env', '-S', X],
  ['env', `-S${X}`],
  ['env', '-iS', `sh -c ${X}`],
  ['env', '-S', 'sh -c', X],
  ['env', '-Ssh -c', X],
  ['env', `--split-string=${X}`],
  ['env', '-C', '/', 'env', '-', 'python3', '-c', X],
  ['env', X],
  ['env', `-${X}`],
  ['env', `BASH_ENV=${X}`],
  ['nice', 'sh', '-c', X],
  ['nice', '-n', '5', 'sh', '-c', X],
  ['sudo', '-u', 'node', 'sh', '-c', X],
  ['sudo', 'A=b', '-E', '--', 'bash', '-c', X],
  ['sudo', X],
  ['doas', '-u', 'www', 'perl', '-e', X],
  ['timeout', '5', 'sh', '-c', X],
  ['timeout', '-s', 'KILL', '--', '5', 'sh', '-c', X],
  ['nohup', 'sh', '-c', X],
  ['setsid', '-w', 'sh', '-c', X],
  ['stdbuf', '-o', 'L', 'awk', X],
  ['xargs', '-0', '-n', '1', 'sh', '-c', X],
  ['time', '-p', 'sh', '-c', X],
  ['exec', 'sh', '-c', X],
  ['ionice', '-c', '3', 'sh', '-c', X],
  ['busybox', 'sh', '-c', X],
  ['sudo', 'nice', 'timeout', '5', 'env', 'A=b', '/usr/bin/python3.11', '-c', X],
  ['docker', 'exec', 'box', 'sh', '-c', X],
  ['find', '.', '-exec', 'sh', '-c', X, '{}', ';'],
  ['uv', 'run', 'python', '-c', X],
]

const named = (
  commands: readonly (readonly string[])[],
): { words: readonly string[]; line: string }[] =>
  commands.map((words) => ({ words, line: words.join(' ') }))

test.for(named(REFUSED))('$line is refused: the value would be run', ({ words }) => {
  const last = words.findLastIndex(
    (word, at) => word.includes('{{') && (at === words.length - 1 || words[at + 1] === '{}'),
  )
  expect(refusal(words)).toBe(`/command/${last}`)
})

const TAKEN = [
  ['sh', '-c', 'echo "$1"', 'sh', X],
  ['sh', '-euc', 'echo "$1"', 'sh', `a${X}`],
  ['bash', '-euo', 'pipefail', '-c', 'echo "$1"', 'bash', X],
  ['bash', 'script.sh', X],
  ['bash', 'script.sh', '-c', X],
  ['bash', '--', X],
  ['sh', `./${X}`],
  ['python3', 'script.py', X],
  ['python3', 'script.py', '-c', X],
  ['python3', '-c', 'import sys; print(sys.argv[1])', X],
  ['python3', '-m', 'pytest', '-c', X],
  ['node', 'script.mjs', '-e', X],
  ['node', '-e', 'console.log(process.argv[1])', '--', X],
  ['node', `--max-old-space-size=${X}`, 'x.mjs'],
  ['deno', 'run', '-A', 'x.ts', X],
  ['deno', 'eval', 'console.log(Deno.args)', '--', X],
  ['ruby', '-e', 'p ARGV[0]', '--', X],
  ['perl', '-e', 'print $ARGV[0]', '--', X],
  ['perl', `-I${X}`, 'x.pl'],
  ['php', '-r', 'echo $argv[1];', '--', X],
  ['awk', '-v', `x=${X}`, '{print x}'],
  ['awk', `-vx=${X}`, '{print x}'],
  ['awk', '-f', 'x.awk', X],
  ['awk', '{print $1}', X],
  ['sed', '-n', '5p', '--', X],
  ['sed', '--sandbox', '-e', X],
  ['pwsh', '-File', 'x.ps1', X],
  ['powershell', '-ExecutionPolicy', 'Bypass', '-File', 'x.ps1', X],
  ['ssh', '-p', X, 'host', 'uptime'],
  ['env', `NAME=${X}`, 'printenv', 'NAME'],
  ['env', '-S', 'sh -c "echo $1" sh', X],
  ['env', '-u', 'X', 'cat', X],
  ['nice', '-n', X, 'make'],
  ['sudo', '-u', X, 'ls'],
  ['timeout', X, 'ls', X],
  ['xargs', '-n', '1', 'grep', X],
  ['find', '.', '-name', X, '-exec', 'sh', '-c', 'cat "$1"', 'sh', '{}', ';'],
  ['grep', '-e', X, 'python'],
  ['grep', 'sed', X],
  ['git', 'commit', '-m', X],
  ['make', 'node', X],
  ['docker', 'exec', 'box', 'ls', X],
  ['echo', '-c', X],
]

test.for(named(TAKEN))('$line is taken: the value is an argument, whatever it is', ({ words }) => {
  expect(refusal(words)).toBeUndefined()
})

test('the refusal names the word, and shows how the value is passed instead', () => {
  const read = readCommand(`sh -c "echo ${X}"`)
  expect(read).toMatchObject({
    ok: false,
    problems: [
      {
        path: '/command',
        message:
          'no placeholder can stand in echo {{tool.arguments.x}}: a value in the program text of sh would be run: give the value a word of its own, ["sh", "-c", "… \\"$1\\"", "sh", "{{tool.arguments.x}}"], which the program reads as "$1"',
      },
    ],
  })
})
