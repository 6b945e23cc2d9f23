import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PAGE_SCRIPT } from './page-script.js'

test('the script of a page is small, and can be inside a page', () => {
  expect(gzipSync(PAGE_SCRIPT).length).toBeLessThan(30 * 1024)
  expect(PAGE_SCRIPT).not.toMatch(/<\/script|<!--/i)
})
