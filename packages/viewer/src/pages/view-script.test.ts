import { gzipSync } from 'node:zlib'
import { PAGE_SCRIPT } from '@toolblocks/renderer/internal/html'
import { expect, test } from 'vitest'
import { VIEW_SCRIPT } from './view-script.js'

test('all scripts of a page together stay below 30 kB, compressed', () => {
  expect(gzipSync(PAGE_SCRIPT + VIEW_SCRIPT).length).toBeLessThan(30 * 1000)
})
