import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeadAndTail } from './head-and-tail.ts'

const NOTE = /\n\[… (\d+) of (\d+) bytes left out …\]\n/

function collect(limits: { head: number; tail: number }, chunks: readonly Uint8Array[]): string {
  const ends = createHeadAndTail(limits)
  for (const chunk of chunks) ends.write(chunk)
  return ends.text()
}

function cut(text: string, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let rest: Uint8Array = Buffer.from(text)
  for (const size of sizes) {
    chunks.push(rest.subarray(0, size))
    rest = rest.subarray(size)
  }
  return [...chunks, rest]
}

test('what fits is itself, however it came', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.array(fc.nat(9)),
      (text, sizes) => {
        const half = Math.ceil(Buffer.byteLength(text) / 2) + 1
        expect(collect({ head: half, tail: half }, cut(text, sizes))).toBe(text)
      },
    ),
  )
})

test('of what does not fit, head and tail are whole characters, and every byte is counted', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 60, maxLength: 200 }),
      fc.array(fc.nat(30)),
      (text, sizes) => {
        const kept = collect({ head: 20, tail: 25 }, cut(text, sizes))
        const [head = '', leftOut, all, tail = ''] = kept.split(NOTE)
        expect(text.startsWith(head)).toBe(true)
        expect(text.endsWith(tail)).toBe(true)
        const bytes = Buffer.byteLength(text)
        expect(Number(all)).toBe(bytes)
        expect(Number(leftOut)).toBe(bytes - Buffer.byteLength(head) - Buffer.byteLength(tail))
        expect(Buffer.byteLength(head)).toBeGreaterThan(20 - 4)
        expect(Buffer.byteLength(tail)).toBeGreaterThan(25 - 4)
      },
    ),
  )
})

test('bytes that are not text stay bytes to count', () => {
  expect(collect({ head: 2, tail: 2 }, [Buffer.alloc(10, 0x80)])).toMatch(NOTE)
})
