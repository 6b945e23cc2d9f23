import { parse, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isInFolder, workingFolder } from './real-path.ts'

test.for([
  ['/a', '/a', true],
  ['/a/b/c', '/a', true],
  ['/a/..b', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a/../b', '/a', false],
  ['/a', '/', true],
] as const)('%s is below %s: %s', ([path, folder, expected]) => {
  expect(isInFolder(resolve(path), resolve(folder))).toBe(expected)
})

test('every path is below the root', () => {
  expect(isInFolder(process.cwd(), parse(process.cwd()).root)).toBe(true)
})

const typed = { INIT_CWD: '/project', npm_lifecycle_event: 'toolblocks' }

test('the script of a clone works on the folder in which it was typed, other programs on the current folder', () => {
  const clone = { ...typed, npm_package_name: 'toolblocks-monorepo' }
  expect(workingFolder('/clone', clone)).toBe('/project')
  expect(workingFolder('/clone', { ...clone, npm_lifecycle_event: 'test' })).toBe('/clone')
  expect(workingFolder('/sub', { ...typed, npm_package_name: 'mine' })).toBe('/sub')
  expect(workingFolder('/here', {})).toBe('/here')
})
