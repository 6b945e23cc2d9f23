import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createIsBelow } from './is-below.ts'

const root = mkdtempSync(join(tmpdir(), 'toolblocks-rules-'))

afterAll(() => rmSync(root, { recursive: true }))

mkdirSync(join(root, 'docs'))

writeFileSync(join(root, 'docs/a.md'), '')

writeFileSync(join(root, 'secret'), '')

symlinkSync('../secret', join(root, 'docs/link'))

symlinkSync('/nowhere/at/all', join(root, 'docs/dangling'))

symlinkSync('/', join(root, 'docs/top'))

test.for([
  ['docs/a.md', true],
  ['docs', true],
  ['./docs/new/file.md', true],
  [join(root, 'docs/a.md'), true],
  ['docs2/a.md', false],
  ['docs/../secret', undefined],
  ['docs/link', false],
  ['docs/dangling', undefined],
  ['docs/top/etc/passwd', false],
  ['/etc/passwd', false],
  ['docs/a.md\0', undefined],
  ['docs/new file.md', true],
  ['docs/a-b_c.d+e,f=g@h#i%j', true],
  ['', undefined],
  [' docs/a.md', undefined],
  ['docs/a.md ', undefined],
  ['docs/$(touch x)', undefined],
  ['docs/`touch x`', undefined],
  ['docs/a.md;touch x', undefined],
  ['docs/a.md|sh', undefined],
  ['docs/a.md\nrm', undefined],
  ['docs/*', undefined],
  ['docs/{a,b}', undefined],
  ['docs/$HOME', undefined],
  ["docs/'a", undefined],
  ['file:docs/a.md', undefined],
  ['file:///etc/passwd', undefined],
  ['http://docs/a', undefined],
  ['c:docs/a.md', undefined],
  ['~/docs/a.md', undefined],
  ['~root/docs', undefined],
  ['-rf', undefined],
  ['--config=docs/a.md', undefined],
  ['docs\\..\\secret', undefined],
] as const)('%s is in docs: %s', ([path, expected]) => {
  expect(createIsBelow(root)(path, 'docs')).toBe(expected)
})
