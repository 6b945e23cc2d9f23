import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeInOneStep } from './write-in-one-step.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'one-step-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a file is replaced, with its mode, and nothing else stays', () => {
  const folder = makeFolder()
  const file = join(folder, 'a.json')
  writeInOneStep(file, 'old', { mode: 0o600 })
  writeInOneStep(file, 'new', { mode: 0o600 })
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['a.json'])
})

test('what cannot be replaced is thrown, and no draft stays', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'a.json/inside'), { recursive: true })
  expect(() => writeInOneStep(join(folder, 'a.json'), 'new', { mode: 0o600 })).toThrow('EISDIR')
  expect(readdirSync(folder)).toEqual(['a.json'])
})
