import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../workspace.support.ts'
import {
  type PathKind,
  type SearchPlace,
  findProgram,
  isSame,
  getKind,
  readStart,
  getState,
} from './find-program.ts'

const searchPlace: SearchPlace = {
  cwd: '/home/ada',
  path: '/usr/local/bin:/usr/bin',
  extensions: [],
}

function find(
  program: string,
  there: Record<string, PathKind>,
  where = searchPlace,
): ReturnType<typeof findProgram> {
  return findProgram(program, where, (path) => there[path] ?? 'missing')
}

test('a bare name is searched for in PATH, in order', () => {
  const there = { '/usr/bin/x': 'program', '/home/ada/x': 'program' } as const
  expect(find('x', there)).toEqual({ ok: true, path: '/usr/bin/x' })
})

test('folders and files that are not executable are skipped', () => {
  const there = { '/usr/local/bin/x': 'directory', '/usr/bin/x': 'program' } as const
  expect(find('x', there)).toEqual({ ok: true, path: '/usr/bin/x' })
})

test.for([
  ['./x', '/home/ada/x'],
  ['tools/x', '/home/ada/tools/x'],
  ['../x', '/home/x'],
  ['/opt/x', '/opt/x'],
])('the path %s is %s', ([program = '', path = '']) => {
  expect(find(program, { [path]: 'program' })).toEqual({ ok: true, path })
})

test('with extensions, each is tried', () => {
  const windows = { ...searchPlace, extensions: ['.EXE', '.CMD'] }
  expect(find('x', { '/usr/bin/x.CMD': 'program' }, windows)).toEqual({
    ok: true,
    path: '/usr/bin/x.CMD',
  })
  expect(find('x.js', { '/usr/bin/x.js': 'program' }, windows)).toEqual({
    ok: true,
    path: '/usr/bin/x.js',
  })
})

test.for<[string, Record<string, PathKind>, RegExp]>([
  ['x', {}, /^There is no program "x" in PATH: install it, or .* \.\/x for one in \/home\/ada\.$/],
  [
    'x',
    { '/usr/bin/x': 'not-executable' },
    /^There is no program "x" in PATH.*\/usr\/bin\/x is not executable: chmod \+x it\.$/,
  ],
  ['./x', {}, /^There is no program \/home\/ada\/x: check the path/],
  ['./x', { '/home/ada/x': 'directory' }, /^\/home\/ada\/x is a directory, not a program\.$/],
  [
    './x',
    { '/home/ada/x': 'not-executable' },
    /^\/home\/ada\/x is not executable: chmod \+x it\.$/,
  ],
])(
  '%s among %j: the message says what was searched for, where, and what to do',
  ([program, there, message]) => {
    const located = find(program, there)
    expect(!located.ok && located.message).toMatch(message)
  },
)

test('every obstacle is reported, one after the other', () => {
  const located = find('x', { '/usr/local/bin/x': 'directory', '/usr/bin/x': 'not-executable' })
  expect(!located.ok && located.message).toBe(
    'There is no program "x" in PATH: install it, or name it by a path, such as ./x for one in /home/ada. /usr/local/bin/x is a directory, not a program. /usr/bin/x is not executable: chmod +x it.',
  )
})

test('an empty PATH is reported as empty', () => {
  const located = find('x', {}, { ...searchPlace, path: '' })
  expect(!located.ok && located.message).toContain('in PATH, which is empty: install it')
})

test('the first bytes of any file are read', () => {
  const { root } = makeWorkspace()
  writeFileSync(join(root, 'long'), Buffer.alloc(1000, 0xe9))
  writeFileSync(join(root, 'short'), '#!/bin/sh\n')
  expect(readStart(join(root, 'long'))).toBe('é'.repeat(256))
  expect(readStart(join(root, 'short'))).toBe('#!/bin/sh\n')
  expect([readStart(join(root, 'none')), readStart(root), readStart('a\0b')]).toEqual(['', '', ''])
})

test('the kinds of files at a path are distinguished', () => {
  const { root, script } = makeWorkspace()
  script('program', 'exit')
  writeFileSync(join(root, 'text'), '')
  mkdirSync(join(root, 'folder'))
  symlinkSync('program', join(root, 'link'))
  symlinkSync('nowhere', join(root, 'broken'))
  const kinds = ['program', 'link', 'text', 'folder', 'broken', 'none'].map((name) =>
    getKind(join(root, name)),
  )
  expect(kinds).toEqual(['program', 'program', 'not-executable', 'directory', 'missing', 'missing'])
  expect(getKind('a\0b')).toBe('not-executable')
})

test('only a file has a size and a time', () => {
  const { root } = makeWorkspace()
  const path = join(root, 'a')
  writeFileSync(path, 'abc')
  utimesSync(path, 1, 2.5)
  expect(getState(path)).toEqual({ path, size: 3, modified: 2500 })
  for (const none of [root, join(root, 'none'), 'a\0b'])
    expect(getState(none)).toEqual({ path: none })
})

test('a file is the same until its content, its time or its path changes', () => {
  const { root } = makeWorkspace()
  const path = join(root, 'a')
  const write = (text: string, seconds: number): ReturnType<typeof getState> => {
    writeFileSync(path, text)
    utimesSync(path, seconds, seconds)
    return getState(path)
  }
  const first = write('abc', 1)
  chmodSync(path, 0o755)
  expect(isSame(first, getState(path))).toBe(true)
  expect(isSame(first, write('abcd', 1))).toBe(false)
  expect(isSame(first, write('abc', 2))).toBe(false)
  expect(isSame(first, { ...first, path: join(root, 'b') })).toBe(false)
})
