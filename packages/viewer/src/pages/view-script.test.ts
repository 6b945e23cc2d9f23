import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { PAGE_SCRIPT } from '@toolblocks/renderer/html'
import { expect, test } from 'vitest'
import { bundleScript } from '../../../../scripts/bundle-script.mjs'
import { VIEW_SCRIPT } from './view-script.js'

// To update it: pnpm exec vitest run packages/viewer/src/pages -u
test('the script of the pages is the one that its sources give today', async () => {
  const source = fileURLToPath(new URL('../../browser/view.ts', import.meta.url))
  await expect(await bundleScript(source, 'VIEW_SCRIPT')).toMatchFileSnapshot('./view-script.js')
})

test('all scripts of a page together stay below 30 kB, compressed', () => {
  expect(gzipSync(PAGE_SCRIPT + VIEW_SCRIPT).length).toBeLessThan(30 * 1000)
})
