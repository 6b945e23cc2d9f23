import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { sizedOutput } from './sized-output.ts'

/** A stream with the parts of a terminal that are looked at. */
function terminalOf(size: { columns?: number; rows?: number }): NodeJS.WriteStream {
  return Object.assign(new PassThrough(), { isTTY: true, ...size }) as unknown as NodeJS.WriteStream
}

test('a terminal that says its size keeps it', () => {
  const { columns, rows } = sizedOutput(terminalOf({ columns: 132, rows: 50 }))
  expect([columns, rows]).toEqual([132, 50])
})

test.for([{}, { columns: 0, rows: 0 }])('one that has none gets 80 by 24: %j', (size) => {
  const { columns, rows } = sizedOutput(terminalOf(size))
  expect([columns, rows]).toEqual([80, 24])
})

test('a size that changes is the size from then on', () => {
  const terminal = terminalOf({ columns: 80, rows: 24 })
  const sized = sizedOutput(terminal)
  Object.assign(terminal, { columns: 40, rows: 10 })
  expect([sized.columns, sized.rows]).toEqual([40, 10])
})

test('all else is the terminal’s own', () => {
  const terminal = terminalOf({})
  const sized = sizedOutput(terminal)
  expect(sized.isTTY).toBe(true)
  sized.write('shown')
  expect(String(terminal.read())).toBe('shown')
  const { write } = sized
  write('again')
  expect(String(terminal.read())).toBe('again')
})
