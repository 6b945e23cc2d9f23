import fc from 'fast-check'
import type { BlobRef } from '@toolblocks/protocol'
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Store, createHeadAndTail, createOutputBuffer } from './output-buffer.ts'

async function hash(bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<BlobRef> {
  const sha256 = createHash('sha256')
  let count = 0
  for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
    sha256.update(chunk)
    count += chunk.length
  }
  return { sha256: sha256.digest('hex'), bytes: count }
}

test('up to the limit every byte is returned, for chunks of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const all = Buffer.concat(chunks)
      const buffer = createOutputBuffer(all.length)
      for (const chunk of chunks) expect(buffer.write(chunk)).toBeUndefined()
      const output = buffer.finish()
      expect(output.isWhole && Buffer.from(output.bytes)).toEqual(all)
    }),
  )
})

test('a megabyte in single bytes is returned', () => {
  const all = Buffer.from(Array.from({ length: 1024 * 1024 }, (_, index) => index % 251))
  const buffer = createOutputBuffer(all.length)
  for (let start = 0; start < all.length; start++) void buffer.write(all.subarray(start, start + 1))
  const output = buffer.finish()
  expect(output.isWhole && Buffer.compare(output.bytes, all)).toBe(0)
})

test('over the limit everything goes to the store, and the ends stay readable', async () => {
  const all = Buffer.concat(
    Array.from({ length: 5000 }, (_, line) => Buffer.from(`line ${line}\n`)),
  )
  const buffer = createOutputBuffer(1000, hash)
  for (let start = 0; start < all.length; start += 700)
    await buffer.write(all.subarray(start, start + 700))
  const output = buffer.finish()
  if (output.isWhole) throw new Error('not cut')
  expect(output.byteCount).toBe(all.length)
  expect(await output.stored).toEqual(await hash(all))
  expect(output.text).toMatch(/^line 0\n/)
  expect(output.text).toMatch(/\[… \d+ of 48890 bytes omitted …\]/)
  expect(output.text).toMatch(/line 4999\n$/)
})

test('a slow store makes the reader wait', async () => {
  let mayRead = (): void => {}
  const slow: Store = async (bytes) => {
    await new Promise<void>((resolve) => (mayRead = resolve))
    return hash(bytes)
  }
  const buffer = createOutputBuffer(10, slow)
  const chunk = new Uint8Array(64 * 1024)
  const waits = [buffer.write(chunk), buffer.write(chunk)]
  expect(waits[1]).toBeInstanceOf(Promise)
  mayRead()
  await waits[1]
  const output = buffer.finish()
  expect(!output.isWhole && (await output.stored)?.bytes).toBe(2 * chunk.length)
})

test.for<[string, Store]>([
  ['fails', () => Promise.reject(new Error('disk full'))],
  ['has seen enough', async () => ({ sha256: '', bytes: 0 })],
])('a store that %s does not stop the reading', async ([, store]) => {
  const buffer = createOutputBuffer(10, store)
  const chunk = new Uint8Array(64 * 1024)
  for (let count = 0; count < 20; count++) await buffer.write(chunk)
  await nextTurn()
  const output = buffer.finish()
  expect(!output.isWhole && output.byteCount).toBe(20 * chunk.length)
})

test('without a store the bytes are counted', () => {
  const buffer = createOutputBuffer(10)
  for (let count = 0; count < 3; count++) expect(buffer.write(new Uint8Array(9))).toBeUndefined()
  expect(buffer.finish()).toMatchObject({ isWhole: false, byteCount: 27 })
})

const NOTE = /\n\[… (\d+) of (\d+) bytes omitted …\]\n/

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

test('text that fits is unchanged, for chunks of any size', () => {
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

test('of longer text, head and tail are complete characters, and every byte is counted', () => {
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

test('bytes that are not text are only counted', () => {
  expect(collect({ head: 2, tail: 2 }, [Buffer.alloc(10, 0x80)])).toMatch(NOTE)
})
