import { expect, test } from 'vitest'
import { sizeInWords, sizeOfBase64 } from './size-in-words.ts'

test.for([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [1_000_000, '1.0 MB'],
] as const)('%i bytes are %s', ([bytes, words]) => {
  expect(sizeInWords(bytes)).toBe(words)
})

test('base64 stands for as many bytes as were encoded', () => {
  for (let size = 0; size < 50; size++)
    expect(sizeOfBase64(Buffer.alloc(size).toString('base64'))).toBe(size)
  expect(sizeOfBase64('=')).toBe(0)
})
