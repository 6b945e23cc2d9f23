import { expect, test } from 'vitest'
import { createSuccessResult } from './create-result.ts'
import { readStatus, type Status, withStatus } from './status.ts'

const result = createSuccessResult([{ type: 'text', text: 'Stage this hunk?' }])

test.for(['running', 'waiting', 'stopped'] satisfies Status[])(
  '%s can be written and read',
  (status) => {
    const written = withStatus({ ...result, _meta: { 'x/y': 1 } }, status)
    expect(written).toEqual({ ...result, _meta: { 'x/y': 1, 'computer.jp/status': status } })
    expect(readStatus(written)).toBe(status)
  },
)

test('a status that is absent, unknown or inherited reads as stopped', () => {
  expect(readStatus(result)).toBe('stopped')
  for (const status of ['spawned', 'RUNNING', null, 1, ['running'], 'toString']) {
    expect(readStatus({ ...result, _meta: { 'computer.jp/status': status } })).toBe('stopped')
  }
  const forged = Object.create({ 'computer.jp/status': 'running' })
  expect(readStatus({ ...result, _meta: forged })).toBe('stopped')
})
