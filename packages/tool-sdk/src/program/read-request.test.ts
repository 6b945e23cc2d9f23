import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from './read-request.ts'

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let offset = 0
  for (const size of sizes) {
    yield bytes.subarray(offset, offset + size)
    offset += size
  }
  yield bytes.subarray(offset)
}

test('the lines of a text are the same for every split into pieces', async () => {
  const texts = fc.array(fc.constantFrom('a', 'é', '😀', '\u2028', '\r', '\n', '{}'))
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(5)), async (parts, sizes) => {
      const text = parts.join('')
      const lines = text.split('\n')
      if (lines.at(-1) === '') lines.pop()
      const read: string[] = []
      for await (const line of readLines(inPieces(Buffer.from(text), sizes))) read.push(line)
      expect(read).toEqual(lines)
    }),
  )
})

test('half a character at the end of the text is kept', async () => {
  const read: string[] = []
  for await (const line of readLines(inPieces(Buffer.from('a\nb😀').subarray(0, 5), [])))
    read.push(line)
  expect(read).toEqual(['a', 'b\ufffd'])
})
