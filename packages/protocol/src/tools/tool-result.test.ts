import { expect, test } from 'vitest'
import { describeBadArguments } from './tool-call.ts'
import {
  type Status,
  createErrorResult,
  createSuccessResult,
  readErrorDetails,
  readStatus,
  getSkippedBlocks,
  withErrorDetails,
  withStatus,
} from './tool-result.ts'

const content = [{ type: 'text', text: 'a' }] as const

test('a success has its blocks and is not an error', () => {
  expect(createSuccessResult(content)).toStrictEqual({ content, isError: false })
})

test('an error may be a text, which becomes one block', () => {
  expect(createErrorResult('a')).toStrictEqual({ content, isError: true })
  expect(createErrorResult(content)).toStrictEqual({ content, isError: true })
})

test('id and metadata are set if they are given', () => {
  const metadata = { outcome: 'failed' } as const
  expect(createSuccessResult([], 'call_1', metadata)).toStrictEqual({
    id: 'call_1',
    content: [],
    isError: false,
    metadata,
  })
  expect(createErrorResult('a', 'call_1', metadata)).toStrictEqual({
    id: 'call_1',
    content,
    isError: true,
    metadata,
  })
})

const result = createSuccessResult([{ type: 'text', text: 'Stage this hunk?' }])

test.for(['running', 'waiting', 'stopped'] satisfies Status[])(
  '%s can be written and read',
  (status) => {
    const written = withStatus({ ...result, _meta: { 'x/y': 1 } }, status)
    expect(written).toEqual({ ...result, _meta: { 'x/y': 1, 'computer.jp/status': status } })
    expect(readStatus(written)).toBe(status)
  },
)

test('an absent, unknown or inherited status is read as stopped', () => {
  expect(readStatus(result)).toBe('stopped')
  for (const status of ['spawned', 'RUNNING', null, 1, ['running'], 'toString']) {
    expect(readStatus({ ...result, _meta: { 'computer.jp/status': status } })).toBe('stopped')
  }
  const forged = Object.create({ 'computer.jp/status': 'running' })
  expect(readStatus({ ...result, _meta: forged })).toBe('stopped')
})

test('a warning about a complete block counts as a skipped block, other warnings do not', () => {
  const warnings = ['/content/2', '/content/2/resource/uri', '/isError', ''].map((path) => ({
    path,
    message: 'm',
  }))
  expect(getSkippedBlocks({ content: [], isError: false, metadata: { warnings } })).toEqual([
    { path: '/content/2', message: 'm' },
  ])
})

test('a result without warnings has no skipped blocks', () => {
  expect(getSkippedBlocks({ content: [], isError: false })).toEqual([])
})

const failed = createErrorResult('File not found: foo.rs')

function details(value: unknown): unknown {
  return readErrorDetails({ ...failed, _meta: { 'computer.jp/error': value } })
}

test('absent details are read as not transient, without a trace', () => {
  expect(readErrorDetails(failed)).toEqual({ transient: false, trace: [] })
  expect(readErrorDetails({ ...failed, _meta: {} })).toEqual({ transient: false, trace: [] })
})

test('details are read as the tool wrote them', () => {
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

test('an inherited key is ignored', () => {
  const forged = Object.create({ 'computer.jp/error': { transient: true, trace: [] } })
  expect(readErrorDetails({ ...failed, _meta: forged })).toEqual({ transient: false, trace: [] })
})

test('written details can be read, and other keys are kept', () => {
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

test('each invalid argument has a line with its path; the arguments as a whole are named too', () => {
  const problems = [
    { path: '/paths/0', message: 'expected string, got number 3' },
    { path: '', message: 'expected object, got null' },
  ]
  expect(describeBadArguments('read "all"', problems)).toBe(
    [
      'Invalid arguments for the tool "read \\"all\\""; the call was not run.',
      '- /paths/0: expected string, got number 3',
      '- (arguments): expected object, got null',
      'Correct these arguments and call the tool again.',
    ].join('\n'),
  )
})
