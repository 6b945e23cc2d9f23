import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LocalCommand } from './command/local-tool-definition.ts'
import { type Fingerprint, createFingerprints } from './create-fingerprints.ts'
import { type Workspace, makeWorkspace } from './workspace.support.ts'

const take = ({ root }: Workspace, command: LocalCommand, env: readonly string[] = []) =>
  createFingerprints({ root }).take({ command, env })?.key

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
])('the fingerprint differs if %s', ([, command, change]) => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  const before = take(workspace, command)
  change(workspace)
  expect(take(workspace, command)).toMatch(/^[0-9a-f]{64}$/)
  expect(take(workspace, command)).not.toBe(before)
})

test('the fingerprint differs for other arguments and other variables', () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  const all = [
    take(workspace, './tool'),
    take(workspace, './tool a'),
    take(workspace, './tool', ['X']),
  ]
  expect(new Set(all).size).toBe(3)
})

test('a fingerprint names the program and each word that may be a file, with its state', () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  writeFileSync(join(workspace.root, 'a b'), 'four')
  utimesSync(join(workspace.root, 'a b'), 1, 1)
  const fingerprints = createFingerprints(workspace)
  expect(fingerprints.take({ command: './tool {{tool.name}} --with "a b"' })).toEqual({
    key: expect.stringMatching(/^[0-9a-f]{64}$/),
    program: './tool',
    files: [
      {
        path: join(workspace.root, 'tool'),
        size: expect.any(Number),
        modified: expect.any(Number),
      },
      { path: join(workspace.root, '--with') },
      { path: join(workspace.root, 'a b'), size: 4, modified: 1000 },
    ],
  })
})

const keptAs = (fingerprint: Fingerprint | undefined): Fingerprint =>
  JSON.parse(JSON.stringify(fingerprint))

test('a fingerprint that was stored as JSON is current while the files are unchanged', () => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  const kept = keptAs(createFingerprints(workspace).take({ command: 'sh tool --with lib.txt' }))
  expect(createFingerprints(workspace).isCurrent(kept, {})).toBe(true)
})

test.for<[string, (workspace: Workspace) => void]>([
  ['the program has changed', ({ root }) => writeFileSync(join(root, 'tool'), '# longer')],
  ['the program is gone', ({ root }) => rmSync(join(root, 'tool'))],
  ['an argument has another time', ({ root }) => utimesSync(join(root, 'data'), 1, 1)],
  ['an argument names a file by now', ({ root }) => writeFileSync(join(root, 'later'), '')],
])('a fingerprint is not current if %s', ([, change]) => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  writeFileSync(join(workspace.root, 'data'), 'text')
  const kept = keptAs(createFingerprints(workspace).take({ command: './tool data later' }))
  change(workspace)
  expect(createFingerprints(workspace).isCurrent(kept, {})).toBe(false)
})

test('a fingerprint is not current if PATH leads to another program', () => {
  const workspace = makeWorkspace()
  const [one, two] = ['one', 'two'].map((name) => {
    mkdirSync(join(workspace.root, name))
    workspace.script(`${name}/tool`, 'true')
    return { setEnv: { PATH: join(workspace.root, name) } }
  })
  const kept = keptAs(createFingerprints(workspace).take({ command: 'tool', ...one }))
  const { isCurrent } = createFingerprints(workspace)
  expect([isCurrent(kept, { ...one }), isCurrent(kept, { ...two })]).toEqual([true, false])
})

test.for<LocalCommand>([
  'npx some-tool',
  'just serve {{tool}}',
  ['python3', '-m', 'tool'],
  { program: './tool', shell: true },
  './not-there',
])('there is no fingerprint if the files that run are not known: %j', (command) => {
  const workspace = makeWorkspace()
  workspace.script('tool', 'true')
  expect(take(workspace, command)).toBeUndefined()
})
