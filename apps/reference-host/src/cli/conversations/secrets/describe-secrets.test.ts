import { expect, test } from 'vitest'
import { describeScrubbed } from './describe-secrets.ts'

const SCRUBBED = {
  at: '2026-01-01T00:00:00Z',
  events: 3,
  documents: 0,
  blobs: 5,
  shared: 0,
  awaited: 0,
  forms: [{ form: 'as-is', removed: 8 }],
} as const

test('bytes that stay for a call that has not ended are not among those that were scrubbed', () => {
  const [first, ...others] = describeScrubbed({ ...SCRUBBED, awaited: 4 }).split('\n')
  expect(first).toBe('Scrubbed 3 events and 1 file of bytes; each event records when.')
  expect(others.at(-1)).toMatch(/^4 files of bytes stay with the value in the store/)
  expect(describeScrubbed({ ...SCRUBBED, awaited: 5 })).toMatch(/^Scrubbed 3 events; /)
})
