import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeContext, makeTool, makeWorkspace, type Workspace } from '../workspace.support.ts'

const X = '{{tool.arguments.x}}'

/** If a program runs one of these values, the file F appears. */
const HOSTILE = [
  ';touch F',
  '$(touch F)',
  '"; touch F; "',
  '-ctouch F',
  '-etouch F',
  '-Mthreads=system("touch F")',
  "--eval=require('fs').writeFileSync('F','')",
  '--source=BEGIN{system("touch F")}',
  'BEGIN{system("touch F")}',
  "__import__('os').system('touch F')",
  "require('fs').writeFileSync('F','')",
  '/e touch F',
  '1e touch F',
  '\n touch F\n',
]

function hostileWorkspace(): Workspace {
  const workspace = makeWorkspace()
  workspace.script('x.sh', 'printf "%s" "$1"')
  writeFileSync(join(workspace.root, 'x.mjs'), 'console.log(process.argv[2])')
  writeFileSync(join(workspace.root, 'x.py'), 'import sys; print(sys.argv[1])')
  writeFileSync(join(workspace.root, 'x.pl'), 'print $ARGV[0]')
  writeFileSync(join(workspace.root, 'x.awk'), '{ print }')
  mkdirSync(join(workspace.root, 'folder'))
  return workspace
}

test.for<readonly string[]>([
  ['sh', '-c', 'printf "%s" "$1"', 'sh', X],
  ['bash', '-euc', 'printf "%s" "$1"', 'bash', X],
  ['sh', 'x.sh', X],
  ['python3', '-c', 'import sys; print(sys.argv[1])', X],
  ['python3', 'x.py', X],
  ['node', '-e', 'console.log(process.argv[1])', '--', X],
  ['node', '-e', 'console.log(process.argv[1])', 'word', X],
  ['node', 'x.mjs', X],
  ['perl', '-e', 'print $ARGV[0]', '--', X],
  ['perl', 'x.pl', X],
  ['awk', '{ print }', X],
  ['sh', '-c', 'timeout 10 sed --sandbox -e "$1"', 'sh', X],
  ['find', '.', '-name', X],
  ['find', 'folder', '-exec', 'sh', '-c', 'printf "%s" "$2"', 'sh', '{}', X, ';'],
  ['find', 'folder', '-exec', 'printf', '%s', X, ';'],
  ['ls', '--', X],
])('%j runs no value', async (command) => {
  const { root, read } = hostileWorkspace()
  const tool = makeTool(command, { timeoutMs: 5000 })
  await Promise.all(
    HOSTILE.map((x, index) =>
      tool.execute({ id: String(index), name: 'probe', arguments: { x } }, makeContext(root)),
    ),
  )
  expect(read('F')).toBeUndefined()
})

test.for<readonly [words: readonly string[], x: string]>([
  [['sh', '-c', X], 'touch F'],
  [['timeout', '10', 'sh', '-c', `: ${X}`], ';touch F'],
  [['python3', '-c', X], "open('F', 'w')"],
  [['node', '-e', X], "require('fs').writeFileSync('F', '')"],
  [['node', X], "--eval=require('fs').writeFileSync('F', '')"],
  [['perl', '-e', X], 'system("touch F")'],
  [['awk', X], 'BEGIN { system("touch F") }'],
  [['sed', X], '1e touch F'],
])('%j would run a value, so it is refused unless it is marked as code', async ([command, x]) => {
  const { root, read } = hostileWorkspace()
  expect(() => makeTool(command)).toThrow('code = true')
  const tool = makeTool(command, { codeArguments: ['x'] })
  await tool.execute({ id: '1', name: 'probe', arguments: { x } }, makeContext(root))
  expect(read('F')).toBeDefined()
})
