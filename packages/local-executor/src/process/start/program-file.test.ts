import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../../workspace.suite.ts'
import { isSame, kindOf, readStart, stateOf } from './program-file.ts'

test('the first bytes of a file are read, of any file', () => {
  const { root } = makeWorkspace()
  writeFileSync(join(root, 'long'), Buffer.alloc(1000, 0xe9))
  writeFileSync(join(root, 'short'), '#!/bin/sh\n')
  expect(readStart(join(root, 'long'))).toBe('é'.repeat(256))
  expect(readStart(join(root, 'short'))).toBe('#!/bin/sh\n')
  expect([readStart(join(root, 'none')), readStart(root), readStart('a\0b')]).toEqual(['', '', ''])
})

test('what stands at a path is told apart', () => {
  const { root, script } = makeWorkspace()
  script('program', 'exit')
  writeFileSync(join(root, 'text'), '')
  mkdirSync(join(root, 'folder'))
  symlinkSync('program', join(root, 'link'))
  symlinkSync('nowhere', join(root, 'broken'))
  const kinds = ['program', 'link', 'text', 'folder', 'broken', 'none'].map((name) =>
    kindOf(join(root, name)),
  )
  expect(kinds).toEqual(['program', 'program', 'not-executable', 'directory', 'missing', 'missing'])
  expect(kindOf('a\0b')).toBe('not-executable')
})

test('a file has a size and a time, and nothing else has', () => {
  const { root } = makeWorkspace()
  const path = join(root, 'a')
  writeFileSync(path, 'abc')
  utimesSync(path, 1, 2.5)
  expect(stateOf(path)).toEqual({ path, size: 3, modified: 2500 })
  for (const none of [root, join(root, 'none'), 'a\0b'])
    expect(stateOf(none)).toEqual({ path: none })
})

test('a file is the same until its content, its time or its path changes', () => {
  const { root } = makeWorkspace()
  const path = join(root, 'a')
  const write = (text: string, seconds: number): ReturnType<typeof stateOf> => {
    writeFileSync(path, text)
    utimesSync(path, seconds, seconds)
    return stateOf(path)
  }
  const first = write('abc', 1)
  chmodSync(path, 0o755)
  expect(isSame(first, stateOf(path))).toBe(true)
  expect(isSame(first, write('abcd', 1))).toBe(false)
  expect(isSame(first, write('abc', 2))).toBe(false)
  expect(isSame(first, { ...first, path: join(root, 'b') })).toBe(false)
})
