import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { completeTypedPath, readTypedPath } from './typed-path.ts'

test.for([
  ['notes.txt', 'notes.txt'],
  [' notes.txt ', 'notes.txt'],
  ['my notes.txt', 'my notes.txt'],
  ['my\\ notes.txt', 'my notes.txt'],
  ['"my notes.txt"', 'my notes.txt'],
  ["'my notes.txt'", 'my notes.txt'],
  ['"half', '"half'],
  ['~/notes.txt', join(homedir(), 'notes.txt')],
  ['"~/my notes.txt"', join(homedir(), 'my notes.txt')],
  ['~other/notes.txt', '~other/notes.txt'],
] as const)('%s is the path %s', ([typed, path]) => {
  expect(readTypedPath(typed)).toBe(path)
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-paths-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['my notes.txt', 'more.txt', '.hidden']) writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, 'docs'))
  writeFileSync(join(folder, 'docs/one.md'), '')
  return folder
}

test.for([
  ['mo', ['more.txt']],
  ['./mo', ['./more.txt']],
  ['d', ['docs/']],
  ['docs/', ['docs/one.md']],
  ['m', ['more.txt', 'my\\ notes.txt']],
  ['my\\ n', ['my\\ notes.txt']],
  ['"my n', ['"my notes.txt"']],
  ['"d', ['"docs/']],
  ['.h', ['.hidden']],
  ['', ['docs/', 'more.txt', 'my\\ notes.txt']],
  ['nowhere/', []],
] as const)('%s becomes one of %j', ([typed, completed]) => {
  const [found, replaced] = completeTypedPath(typed, makeFolder())
  expect([found.toSorted(), replaced]).toEqual([completed, typed])
})

test('a path from the home folder on stays one', () => {
  const [found] = completeTypedPath('~/', '/')
  expect(found.every((path) => path.startsWith('~/'))).toBe(true)
})
