import type { Progress } from '@toolblocks/protocol'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reportLines } from './report-lines.ts'

function reporter() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reports: (string | Progress)[] = []
  const lines = reportLines(
    (progress) =>
      void reports.push(progress.progress === undefined ? (progress.message ?? '') : progress),
  )
  const write = (text: string): void => lines.write(new TextEncoder().encode(text))
  return { reports, lines, write }
}

test('a line is reported when it is complete, also if a carriage return ends it', () => {
  const { reports, write } = reporter()
  write('one\ntw')
  expect(reports).toEqual(['one'])
  vi.advanceTimersByTime(1000)
  write('o\r50 %\r\n\n')
  expect(reports).toEqual(['one', '50 %'])
})

test.for([
  ['\u001B[32mdone\u001B[0m\n', 'done'],
  ['10 %\b\b\b\b20 %\n', '20 %'],
  ['first\u001B[2K\u001B[1Gsecond\n', 'second'],
  ['\u001B]0;title\u0007a\tb\u0000\n', 'a b'],
  ['line\n\u001B[2K\u001B[0m\n', 'line'],
] as const)(
  '%j is reported as a terminal shows it in the end, without controls: %j',
  ([text, expected]) => {
    const { reports, write } = reporter()
    write(text)
    expect(reports).toEqual([expected])
  },
)

test('of several lines the latest is reported, at most every tenth of a second', () => {
  const { reports, write } = reporter()
  write('1\n2\n')
  write('3\n')
  write('4\n')
  expect(reports).toEqual(['2'])
  vi.advanceTimersByTime(100)
  expect(reports).toEqual(['2', '4'])
})

test('a line without an end takes no memory, and a letter in two pieces is one letter', () => {
  const { reports, lines, write } = reporter()
  for (let count = 0; count < 100; count += 1) write('x'.repeat(10_000))
  const [first = 0, second = 0] = Buffer.from('ü')
  write('\n')
  vi.advanceTimersByTime(1000)
  lines.write(Uint8Array.of(first))
  lines.write(Uint8Array.of(second, 10))
  expect(reports).toEqual(['x'.repeat(500), 'ü'])
})

test('nothing is reported after the end', () => {
  const { reports, lines, write } = reporter()
  write('1\n')
  write('2\n')
  lines.end()
  vi.advanceTimersByTime(1000)
  expect(reports).toEqual(['1'])
})

test('a progress report replaces the latest line, at the same rate', () => {
  const { reports, lines, write } = reporter()
  write('1\n')
  write('2\n')
  lines.tell({ progress: 1, total: 2 })
  expect(reports).toEqual(['1'])
  vi.advanceTimersByTime(100)
  expect(reports).toEqual(['1', { progress: 1, total: 2 }])
})
