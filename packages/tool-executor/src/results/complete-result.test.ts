import { expect, test } from 'vitest'
import type { ContentBlock } from '@toolblocks/protocol'
import { completeResult } from './complete-result.ts'

const call = { id: 'call-1', name: 'read', arguments: {} }
const odd: ContentBlock = { type: 'resource', resource: { uri: 'file:a', text: 'x' } }

test('every warning is said: what was known before, the result’s own, and those of its uris', () => {
  const warning = (message: string) => ({ path: '', message })
  const { metadata } = completeResult(
    { content: [odd], isError: false, metadata: { warnings: [warning('own')] } },
    call,
    { root: '/w', warnings: [warning('before')] },
  )
  expect(metadata?.warnings).toEqual([
    warning('before'),
    warning('own'),
    expect.objectContaining({ path: '/content/0/resource/uri', code: 'relative' }),
  ])
  expect(metadata?.resources).toEqual([null])
})

test('a result without warnings has no list of them', () => {
  const { metadata } = completeResult({ content: [], isError: false }, call, {
    root: '/w',
    warnings: [],
  })
  expect(metadata).toEqual({ outcome: 'completed' })
})
