import { expect, test } from 'vitest'
import { skippedBlocks } from './skipped-blocks.ts'

test('a warning about a whole block stands for a skipped block, others do not', () => {
  const warnings = ['/content/2', '/content/2/resource/uri', '/isError', ''].map((path) => ({
    path,
    message: 'm',
  }))
  expect(skippedBlocks({ content: [], isError: false, metadata: { warnings } })).toEqual([
    { path: '/content/2', message: 'm' },
  ])
})

test('a result without warnings has no skipped blocks', () => {
  expect(skippedBlocks({ content: [], isError: false })).toEqual([])
})
