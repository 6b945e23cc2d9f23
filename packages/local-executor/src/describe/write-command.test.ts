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
] as const)('%j is written as %j', ([command, line]) => {
  expect(writeCommand(command)).toBe(line)
})
