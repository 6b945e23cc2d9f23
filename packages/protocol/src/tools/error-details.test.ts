import { expect, test } from 'vitest'
import { createErrorResult } from './create-result.ts'
import { readErrorDetails, withErrorDetails } from './error-details.ts'

const failed = createErrorResult('File not found: foo.rs')

function details(value: unknown): unknown {
  return readErrorDetails({ ...failed, _meta: { 'computer.jp/error': value } })
}

test('details that are not there read as not transient, without a trace', () => {
  expect(readErrorDetails(failed)).toEqual({ transient: false, trace: [] })
  expect(readErrorDetails({ ...failed, _meta: {} })).toEqual({ transient: false, trace: [] })
})

test('details read as the tool wrote them', () => {
  expect(details({ transient: true, trace: ['io error', 'os error 2'] })).toEqual({
    transient: true,
    trace: ['io error', 'os error 2'],
  })
  expect(details({ transient: true })).toEqual({ transient: true, trace: [] })
})

test.for([
  null,
  'transient',
  [],
  { transient: 'true', trace: 'io error' },
  { transient: 1, trace: ['a', 2] },
  Object.create({ transient: true, trace: ['inherited'] }),
])('malformed details %j read as not transient, without a trace', (value) => {
  expect(details(value)).toEqual({ transient: false, trace: [] })
})

test('a key that is inherited is not there', () => {
  const forged = Object.create({ 'computer.jp/error': { transient: true, trace: [] } })
  expect(readErrorDetails({ ...failed, _meta: forged })).toEqual({ transient: false, trace: [] })
})

test('details that are written can be read, and other keys stay', () => {
  const written = withErrorDetails(
    { ...failed, _meta: { 'x/y': 1, 'computer.jp/error': 'old' } },
    { transient: true, trace: ['a'] },
  )
  expect(written).toEqual({
    ...failed,
    _meta: { 'x/y': 1, 'computer.jp/error': { transient: true, trace: ['a'] } },
  })
  expect(readErrorDetails(written)).toEqual({ transient: true, trace: ['a'] })
})
