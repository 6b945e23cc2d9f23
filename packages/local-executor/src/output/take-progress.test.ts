import { type Progress } from '@toolblocks/protocol'
import { formatProgressLine } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { takeProgress } from './take-progress.ts'

/** Returns the reports in these pieces, and the text without them. */
function read(...pieces: readonly (string | Uint8Array)[]) {
  const reports: Progress[] = []
  const texts: Uint8Array[] = []
  const reader = takeProgress(
    (report) => reports.push(report),
    (chunk) => texts.push(Uint8Array.from(chunk)),
  )
  for (const piece of pieces) reader.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
  const before = Buffer.concat(texts).toString()
  reader.end()
  return { reports, text: Buffer.concat(texts).toString(), before }
}

const line = `${formatProgressLine({ progress: 1, total: 2, message: 'é' })}\n`
const report = { progress: 1, total: 2, message: 'é' }

test('a report between other lines is passed on and is not part of the text', () => {
  expect(read(`one\n${line}{"level":30}\ntwo`)).toMatchObject({
    reports: [report],
    text: 'one\n{"level":30}\ntwo',
  })
})

test('a report in pieces is one report', () => {
  const bytes = Buffer.from(line)
  expect(read('a\n', ...[...bytes].map((byte) => Uint8Array.of(byte)))).toMatchObject({
    reports: [report],
    text: 'a\n',
  })
})

test('a report after text in its line is text', () => {
  expect(read(`a ${line}`)).toMatchObject({ reports: [], text: `a ${line}` })
})

test('a line that begins with a brace is held until it is complete, or too long for a report', () => {
  expect(read('{"a"')).toEqual({ reports: [], before: '', text: '{"a"' })
  const long = `{${'x'.repeat(5000)}`
  expect(read(long, line)).toEqual({ reports: [], before: long + line, text: long + line })
})
