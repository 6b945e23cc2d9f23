import { expect, test } from 'vitest'
import { formatBlocks } from './format-blocks.ts'

test('blocks are written as in a result, separated by an empty line', () => {
  const text = formatBlocks([
    { type: 'text', text: 'The patch:' },
    { type: 'resource', resource: { uri: 'patch://1', mimeType: 'text/x-diff', text: '-a\n+b\n' } },
  ])
  expect(text).toBe('The patch:\n\n```diff\n-a\n+b\n```')
})

test('no blocks are an empty text', () => {
  expect(formatBlocks([])).toBe('')
})
