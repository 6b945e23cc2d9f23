import { describe, expect, test } from 'vitest'
import { createImageWriter, encodeSixels } from './create-image-writer.ts'
import { BLUE, NONE, pictureOf, plainPicture, RED, type Pixel } from './pictures.suite.ts'

const mimeType = 'image/png'
const room = { columns: 10, rows: 4 }

describe('in half blocks', () => {
  const written = (rows: readonly (readonly Pixel[])[]): string | undefined =>
    createImageWriter('blocks')({ base64: pictureOf(rows), mimeType }, room)?.replaceAll(
      '\u001B',
      '^',
    )

  test('a cell has what is solid of its two pixels', () => {
    expect(
      written([
        [RED, RED, NONE, NONE],
        [BLUE, NONE, BLUE, NONE],
      ]),
    ).toBe('^[0;38;2;255;0;0;48;2;0;0;255m▀^[0;38;2;255;0;0m▀^[0;38;2;0;0;255m▄^[0m ^[0m')
  })

  test('half solid is solid, and the last of an odd number of rows is the upper one', () => {
    expect(written([[RED], [RED], [[1, 2, 3, 128]]])).toBe(
      '^[0;38;2;255;0;0;48;2;255;0;0m▀^[0m\n^[0;38;2;1;2;3m▀^[0m',
    )
  })

  test('a picture has as many columns and twice as many rows as there is room', () => {
    const rows = createImageWriter('blocks')({ base64: plainPicture(40, 40), mimeType }, room)
    expect(rows?.split('\n').map((row) => row.split('▀').length - 1)).toEqual([8, 8, 8, 8])
  })
})

describe('in sixels', () => {
  const pixels = (rows: readonly (readonly Pixel[])[]) => ({
    width: rows[0]?.length ?? 0,
    height: rows.length,
    data: Uint8Array.from(rows.flat(2)),
  })
  const [red, blue] = [
    [255, 0, 0],
    [0, 0, 255],
  ] as const

  test('each band of six rows has a row of characters for each of its colours', () => {
    const rows = [
      [RED, BLUE],
      [BLUE, BLUE],
      [RED, RED],
      [BLUE, BLUE],
      [RED, RED],
      [RED, BLUE],
      [BLUE, RED],
    ]
    expect(encodeSixels(pixels(rows), [red, blue])).toBe(
      '\u001BP0;1;q"1;1;2;7#0;2;100;0;0#1;2;0;0;100#0tS$#1Ij$-#1@?$#0?@$\u001B\\',
    )
  })

  test('of four characters and more in a row the number is written', () => {
    const row = (count: number): Pixel[][] => [Array.from({ length: count }, () => RED)]
    expect(encodeSixels(pixels(row(3)), [red])).toContain('#0@@@$')
    expect(encodeSixels(pixels(row(4)), [red])).toContain('#0!4@$')
    expect(encodeSixels(pixels(row(12)), [red])).toContain('#0!12@$')
  })

  test('a colour that has no register is the first', () => {
    expect(encodeSixels(pixels([[[1, 2, 3, 255]]]), [red])).toContain('#0@$')
  })

  const shades = (count: number): Pixel[] =>
    Array.from({ length: count }, (_, at): Pixel => [at % 256, Math.floor(at / 256), 0, 255])
  const registers = (row: readonly Pixel[]): number => {
    const sixel = createImageWriter('sixel')
    const shown = sixel({ base64: pictureOf([row]), mimeType }, { columns: 100, rows: 4 })
    return shown?.match(/#\d+;2;/g)?.length ?? 0
  }

  test('256 colours are as they are; of a picture with more each is one of six levels', () => {
    expect(registers(shades(256))).toBe(256)
    expect(registers(shades(257))).toBe(6)
    expect(registers([RED, BLUE, RED])).toBe(2)
  })

  test('a picture fits the pixels of its cells', () => {
    const shown = createImageWriter('sixel')({ base64: plainPicture(160, 32), mimeType }, room)
    expect(shown).toContain('"1;1;80;16#')
  })
})

describe('for kitty', () => {
  test('4,096 characters are in a piece, and all but the last say that more comes', () => {
    const noise = Array.from({ length: 60 }, (_, y) =>
      Array.from({ length: 60 }, (_x, x): Pixel => [
        (x * 7919 + y * 104_729) % 251,
        (x * y * 31) % 253,
        (x * x + y * 17) % 239,
        255,
      ]),
    )
    const shown = createImageWriter('kitty')({ base64: pictureOf(noise), mimeType }, room) ?? ''
    // oxlint-disable-next-line no-control-regex -- sequences begin with it
    const pieces = [...shown.matchAll(/\u001B_G([^;]*);([^\u001B]*)\u001B\\/g)]
    expect(pieces.length).toBeGreaterThan(2)
    const keys = pieces.map(([, said]) => said)
    expect(keys).toEqual([
      'a=T,f=100,q=2,c=8,r=4,m=1',
      ...pieces.slice(2).map(() => 'q=2,m=1'),
      'q=2,m=0',
    ])
    expect(pieces.slice(0, -1).every(([, , data]) => data?.length === 4096)).toBe(true)
  })

  test('one piece is the last', () => {
    expect(createImageWriter('kitty')({ base64: plainPicture(1, 1), mimeType }, room)).toMatch(
      // oxlint-disable-next-line no-control-regex -- sequences begin with it
      /^\u001B_Ga=T,f=100,q=2,c=1,r=1,m=0;[\w+/=]+\u001B\\$/,
    )
  })
})

describe('for iTerm2', () => {
  const iterm = createImageWriter('iterm')
  const of = (start: string): string => Buffer.from(start, 'latin1').toString('base64')
  test.for([
    ['JPEG', '\u00FF\u00D8\u00FF\u00E0'],
    ['GIF', 'GIF89a'],
    ['WebP', 'RIFF0000WEBP'],
  ] as const)('a %s is as wide as it is, and as high as there is room', ([, start]) => {
    const base64 = of(start)
    expect(iterm({ base64, mimeType }, room)).toBe(
      `\u001B]1337;File=inline=1;size=${start.length};width=auto;height=4;preserveAspectRatio=1:${base64}\u0007`,
    )
  })

  test.for([
    ['BMP', 'BM000000'],
    ['PDF', '%PDF-1.7'],
    ['half a PNG', '\u0089PNG\r\n\u001A\n'],
  ] as const)('a %s is none that it reads', ([, start]) => {
    expect(iterm({ base64: of(start), mimeType }, room)).toBeUndefined()
  })

  test('twelve million characters are the most', () => {
    const base64 = of('GIF89a').padEnd(12_000_000, 'A')
    expect(iterm({ base64, mimeType }, room)).toBeDefined()
    expect(iterm({ base64: `${base64}A`, mimeType }, room)).toBeUndefined()
  })
})
