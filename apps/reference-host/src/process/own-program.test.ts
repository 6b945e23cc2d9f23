import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pathOutside } from './own-program.ts'

test.for([
  ['/usr/bin:/bin', '/usr/bin:/bin'],
  ['/w/bin:/usr/bin', '/usr/bin'],
  ['/w/p/node_modules/.bin:/w/node_modules/.bin:/node_modules/.bin:/usr/bin', '/usr/bin'],
  ['/w:/w/p:/usr/bin', '/w:/usr/bin'],
  ['.:bin::/usr/bin', '/usr/bin'],
  ['/w/pp/bin:/other/node_modules/.bin', '/w/pp/bin:/other/node_modules/.bin'],
] as const)(
  'of PATH %s, a program for a command in /w/p is looked up in %s',
  ([path, expected]) => {
    expect(pathOutside(path.replace(/^\/w\/bin/, '/w/p/bin'), '/w/p')).toBe(expected)
  },
)

test('below the folder of a configuration, an element in that folder is one of the folder', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-path-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  mkdirSync(join(base, 'folder/bin'), { recursive: true })
  mkdirSync(join(base, 'folder/below'))
  symlinkSync(join(base, 'folder/bin'), join(base, 'link'))
  const path = `${base}/folder/bin:${base}/link:${base}/bin:/usr/bin`
  const below = join(base, 'folder/below')
  expect(pathOutside(path, below)).toBe(path)
  writeFileSync(join(base, 'folder/toolblocks.toml'), '')
  expect(pathOutside(path, below)).toBe(`${base}/bin:/usr/bin`)
})

test('an element that a link leads into the folder is one of the folder', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-path-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  mkdirSync(join(base, 'folder/bin'), { recursive: true })
  symlinkSync(join(base, 'folder/bin'), join(base, 'link'))
  expect(pathOutside(`${base}/link:/usr/bin`, join(base, 'folder'))).toBe('/usr/bin')
})
