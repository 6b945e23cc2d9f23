import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineReader } from './line-reader.ts'

test('lines are the same for chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll(/[\r\n]/g, ''))),
      fc.array(fc.nat(20), { minLength: 1 }),
      (lines, cuts) => {
        const read: string[] = []
        const feed = createLineReader((line) => void read.push(line))
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        for (let start = 0, cut = 0; start < bytes.length; cut++) {
          const size = (cuts[cut % cuts.length] ?? 0) + 1
          expect(feed(bytes.subarray(start, start + size))).toBe(true)
          start += size
        }
        expect(read).toEqual(lines)
      },
    ),
  )
})

test('a line of exactly the limit is read, a longer one ends the reading', () => {
  const read: string[] = []
  const feed = createLineReader((line) => void read.push(line), 4)
  expect(feed(Buffer.from('1234\r'))).toBe(false)
  expect(feed(Buffer.from('\nmore\n'))).toBe(false)
  const again = createLineReader((line) => void read.push(line), 4)
  expect(again(Buffer.from('1234\nab\r\n'))).toBe(true)
  expect(read).toEqual(['1234', 'ab'])
})

test('a byte order mark is removed before the first line, and nowhere else', () => {
  const read: string[] = []
  const feed = createLineReader((line) => void read.push(line))
  const bytes = Buffer.from('\uFEFFa\uFEFF\r\n\uFEFFb\n')
  for (const byte of bytes) feed(Uint8Array.of(byte))
  expect(read).toEqual(['a\uFEFF', '\uFEFFb'])
})

test('the begin of a line that has no end yet can be read', () => {
  const feed = createLineReader(() => undefined)
  expect(feed.rest()).toBe('')
  feed(Buffer.from('\uFEFFone\ntw'))
  feed(Buffer.from('o'))
  expect(feed.rest()).toBe('two')
})
