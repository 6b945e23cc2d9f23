import { describe, expect, test } from 'vitest'
import { BLUE, makePicture, plainPicture, RED } from './pictures.support.ts'
import { readPng, readPngSize } from './read-png.ts'

/** A PNG whose first bytes give this size. */
function sized(width: number, height: number): string {
  const bytes = Buffer.from(plainPicture(1, 1), 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}
const findSize = (base64: string): readonly number[] | undefined => {
  const size = readPngSize(base64)
  return size && [size.width, size.height]
}

describe('the size of an image', () => {
  test('is read from its first bytes', () => {
    expect(findSize(plainPicture(3, 2))).toEqual([3, 2])
    expect(
      findSize(Buffer.from(plainPicture(3, 2), 'base64').subarray(0, 24).toString('base64')),
    ).toEqual([3, 2])
  })

  test.for([
    ['no file', ''],
    ['23 bytes', Buffer.from(plainPicture(3, 2), 'base64').subarray(0, 23).toString('base64')],
    ['another signature', Buffer.alloc(24, 1).toString('base64')],
    ['no columns', sized(0, 1)],
    ['no rows', sized(1, 0)],
    ['more than four million pixels', sized(2000, 2001)],
    ['more than twelve million characters', sized(1, 1).padEnd(12_000_001, 'A')],
  ] as const)('is unknown for %s', ([, base64]) => {
    expect(readPngSize(base64)).toBeUndefined()
  })

  test('is at most four million pixels in twelve million characters', () => {
    expect(findSize(sized(2000, 2000))).toEqual([2000, 2000])
    expect(findSize(sized(1, 1).padEnd(12_000_000, 'A'))).toEqual([1, 1])
  })
})

describe('the pixels of an image', () => {
  const picture = makePicture([
    [RED, RED, BLUE, BLUE],
    [RED, RED, RED, BLUE],
  ])
  const pixels = (width: number, height: number): unknown => {
    const read = readPng(picture, { width, height })
    return read && [read.width, read.height, ...read.data]
  }

  test('are unchanged if there is enough space', () => {
    expect(pixels(4, 2)).toEqual([
      4,
      2,
      ...RED,
      ...RED,
      ...BLUE,
      ...BLUE,
      ...RED,
      ...RED,
      ...RED,
      ...BLUE,
    ])
    expect(pixels(100, 100)).toEqual(pixels(4, 2))
  })

  test('are averaged if there is less', () => {
    expect(pixels(2, 100)).toEqual([2, 1, ...RED, 64, 0, 191, 255])
    expect(pixels(100, 1)).toEqual(pixels(2, 100))
    expect(pixels(1, 100)).toEqual([1, 1, 159, 0, 96, 255])
    expect(pixels(3, 100)).toEqual([3, 1, ...RED, 191, 0, 64, 255, 64, 0, 191, 255])
  })

  test('are not read if the data after the first bytes is broken', () => {
    expect(readPng(sized(3, 3), { width: 9, height: 9 })).toBeUndefined()
    expect(readPng('', { width: 9, height: 9 })).toBeUndefined()
  })
})
