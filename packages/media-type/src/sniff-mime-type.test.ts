import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sniffMimeType } from './sniff-mime-type.ts'

const text = (value: string): number[] => [...Buffer.from(value, 'latin1')]
const riff = (kind: string): number[] => [...text('RIFF'), 1, 2, 3, 4, ...text(kind)]
const ftyp = (brand: string): number[] => [0, 0, 0, 0x20, ...text(`ftyp${brand}`)]

const rows: readonly (readonly [mimeType: string, bytes: readonly number[]])[] = [
  ['image/png', [0x89, ...text('PNG\r\n\x1a\n')]],
  ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
  ['image/gif', text('GIF87a')],
  ['image/gif', text('GIF89a')],
  ['image/webp', riff('WEBPVP8 ')],
  ['image/avif', ftyp('avif')],
  ['image/heic', ftyp('heic')],
  ['image/heif', ftyp('mif1')],
  ['image/jxl', [0, 0, 0, 0x0c, ...text('JXL \r\n\x87\n')]],
  ['image/tiff', text('II*\0')],
  ['image/tiff', text('MM\0*')],
  ['image/bmp', [...text('BM'), 9, 9, 9, 9, 0, 0, 0, 0]],
  ['image/vnd.microsoft.icon', [0, 0, 1, 0, 1, 0]],
  ['audio/wav', riff('WAVEfmt ')],
  ['audio/mpeg', text('ID3\x04')],
  ['audio/mpeg', [0xff, 0xfb, 0x90]],
  ['audio/aac', [0xff, 0xf1, 0x50]],
  ['audio/flac', text('fLaC')],
  ['audio/ogg', text('OggS')],
  ['audio/midi', text('MThd')],
  ['audio/aiff', [...text('FORM'), 0, 0, 0, 9, ...text('AIFF')]],
  ['audio/mp4', ftyp('M4A ')],
  ['video/mp4', ftyp('isom')],
  ['video/quicktime', ftyp('qt  ')],
  ['video/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['video/x-msvideo', riff('AVI ')],
  ['application/pdf', text('%PDF-1.7')],
  ['application/zip', text('PK\x03\x04')],
  ['application/gzip', [0x1f, 0x8b, 0x08]],
  ['application/zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['application/x-7z-compressed', [...text('7z'), 0xbc, 0xaf, 0x27, 0x1c]],
  ['application/vnd.sqlite3', text('SQLite format 3\0')],
  ['font/woff2', text('wOF2')],
]

test.for(rows)('%s is recognized by its first bytes', ([mimeType, bytes]) => {
  expect(sniffMimeType(Uint8Array.from(bytes))).toBe(mimeType)
  expect(sniffMimeType(Uint8Array.from([...bytes, ...Array<number>(100).fill(7)]))).toBe(mimeType)
})

test('a truncated signature is not recognized', () => {
  for (const [, bytes] of rows) {
    expect(sniffMimeType(Uint8Array.from(bytes.slice(0, 1)))).toBeUndefined()
  }
})

test('plain text has no signature', () => {
  const plain = fc.string({ unit: fc.constantFrom('a', 'b', 'e', 'n', 'r', 's', ' ', '\n') })
  fc.assert(
    fc.property(plain, (value) => {
      expect(sniffMimeType(Buffer.from(value))).toBeUndefined()
    }),
  )
})

test('any bytes give a result', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(sniffMimeType(bytes)).toEqual(sniffMimeType(bytes.slice(0, 16)))
    }),
  )
})
