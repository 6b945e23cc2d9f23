import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LocalCommand } from '../local-tool-definition.ts'
import { makeWorkspace, type Workspace } from '../workspace.suite.ts'
import { createFingerprints, seeCommand } from './create-fingerprints.ts'

const take = ({ root }: Workspace, command: LocalCommand, env: readonly string[] = []) =>
  createFingerprints({ root })({ command, env })

test('the same command over the same files has the same fingerprint', () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  expect(take(workspace, './tool')).toMatch(/^[0-9a-f]{64}$/)
  expect(take(workspace, './tool')).toBe(take(workspace, './tool'))
})

test.for<[string, LocalCommand, (workspace: Workspace) => void]>([
  [
    'the program has another size',
    './tool',
    ({ root }) => writeFileSync(join(root, 'tool'), '# longer'),
  ],
  ['the program has another time', './tool', ({ root }) => utimesSync(join(root, 'tool'), 1, 1)],
  [
    'an argument that is a file has changed',
    ['sh', 'tool'],
    ({ root }) => writeFileSync(join(root, 'tool'), ''),
  ],
  [
    'any argument that is a file has changed',
    './tool --with lib.txt',
    ({ root }) => writeFileSync(join(root, 'lib.txt'), 'new'),
  ],
])('another one where %s', ([, command, change]) => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  const before = take(workspace, command)
  change(workspace)
  expect(take(workspace, command)).toMatch(/^[0-9a-f]{64}$/)
  expect(take(workspace, command)).not.toBe(before)
})

test('another one for other arguments, and for other variables', () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  const all = [
    take(workspace, './tool'),
    take(workspace, './tool a'),
    take(workspace, './tool', ['X']),
  ]
  expect(new Set(all).size).toBe(3)
})

test('what was seen of a command, kept as JSON, gives the fingerprint that a look at the command gives', () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  const command = 'sh tool {{tool.name}} --with "a b"'
  const seen = seeCommand(command)
  expect(seen).toEqual({ program: 'sh', words: ['tool', '--with', 'a b'] })
  const fingerprint = createFingerprints(workspace)
  expect(fingerprint({ command }, JSON.parse(JSON.stringify(seen)))).toBe(fingerprint({ command }))
})

test.for<LocalCommand>([
  'npx some-tool',
  'just serve {{tool}}',
  ['python3', '-m', 'tool'],
  { program: './tool', shell: true },
  './not-there',
])('none where what runs cannot be seen: %j', (command) => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  expect(take(workspace, command)).toBeUndefined()
})
