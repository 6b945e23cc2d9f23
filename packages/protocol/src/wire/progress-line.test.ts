import { expect, test } from 'vitest'
import { formatProgressLine, readProgressLine } from './progress-line.ts'

test('a progress report is written like MCP’s, and read back', () => {
  const report = { progress: 2, total: 5, message: 'two\nlines' }
  const line = formatProgressLine(report)
  expect(line).toBe(
    String.raw`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":2,"total":5,"message":"two\nlines"}}`,
  )
  expect(readProgressLine(line)).toEqual(report)
})

test('fields of another type are omitted', () => {
  const params = { progress: '2', total: null, message: 'm', progressToken: 1 }
  const line = JSON.stringify({ method: 'notifications/progress', params })
  expect(readProgressLine(line)).toEqual({ message: 'm' })
})

test.for([
  '',
  'progress',
  'notifications/progress',
  '{"method":"notifications/progress"}',
  '{"method":"notifications/progress","params":{}}',
  '{"method":"other","params":{"progress":1,"message":"notifications/progress"}}',
  '["notifications/progress"]',
])('the line %j is not a progress report', (line) => {
  expect(readProgressLine(line)).toBeUndefined()
})
