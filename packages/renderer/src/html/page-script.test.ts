import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundleScript } from '../../../../scripts/bundle-script.mjs'
import { PAGE_SCRIPT } from './page-script.js'

// To update it: pnpm exec vitest run packages/renderer/src/html/page -u
test('the script of a page matches its sources', async () => {
  const source = fileURLToPath(new URL('../../browser/page.ts', import.meta.url))
  await expect(await bundleScript(source, 'PAGE_SCRIPT')).toMatchFileSnapshot('./page-script.js')
})

test('the script of a page is small, and can be inside a page', () => {
  expect(gzipSync(PAGE_SCRIPT).length).toBeLessThan(30 * 1024)
  expect(PAGE_SCRIPT).not.toMatch(/<\/script|<!--/i)
})
