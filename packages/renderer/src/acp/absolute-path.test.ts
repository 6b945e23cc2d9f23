import { expect, test } from 'vitest'
import { absolutePath } from './absolute-path.ts'

test.for<[string, string, string | undefined]>([
  ['/a/b', '/w', '/a/b'],
  ['C:\\a', '/w', 'C:\\a'],
  ['c:/a', '/w', 'c:/a'],
  ['a/b', '/w', '/w/a/b'],
  ['a/C:/b', '/w', '/w/a/C:/b'],
  ['./a', '/w', '/w/a'],
  ['a/./b', '/w', '/w/a/./b'],
  ['../a', '/w', '/w/../a'],
  ['a', '/w//', '/w/a'],
  ['a', 'C:\\w\\', 'C:\\w/a'],
  ['a', '/w/x', '/w/x/a'],
  ['a', '', undefined],
  ['', '/w', undefined],
])('%j in %j is %j', ([path, root, absolute]) => {
  expect(absolutePath(path, root)).toBe(absolute)
})
