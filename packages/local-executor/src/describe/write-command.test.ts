import { expect, test } from 'vitest'
import { writeCommand } from './write-command.ts'

test.for([
  ['python3 tool.py', 'python3 tool.py'],
  [
    ['python3', 'my tool.py', '{{tool.arguments.path}}'],
    "python3 'my tool.py' {{tool.arguments.path}}",
  ],
  [{ program: './tool' }, './tool'],
  [
    { program: 'wc -- "$1"', args: ['{{tool.arguments.path}}'], shell: true },
    `sh -c 'wc -- "$1"' sh {{tool.arguments.path}}`,
  ],
  [{ program: 'a b', args: ['c'] }, "'a b' c"],
  [{ program: 'a', shell: true }, 'sh -c a sh'],
  [
    ['a_b', 'c@d%e+f=g:h,i./j-k{{l}}', '', 'é', '$x', 'a~b'],
    "a_b c@d%e+f=g:h,i./j-k{{l}} '' 'é' '$x' 'a~b'",
  ],
  [["it's"], `'it'"'"'s'`],
] as const)('%j is written as %j', ([command, line]) => {
  expect(writeCommand(command)).toBe(line)
})
