import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { findImageProtocol, supportsHyperlinks, renderTerminal, wrapTerminal } from '../index.ts'
import { createImageWriter } from './create-image-writer.ts'
import { BLUE, NONE, type Pixel, RED, makePicture, plainPicture } from './pictures.support.ts'

/** A picture of this many pixels, red above and blue below. */
function picture(width: number, height: number): string {
  const png = new PNG({ width, height })
  for (let offset = 0; offset < png.data.length; offset += 4)
    png.data.set(offset < png.data.length / 2 ? [255, 0, 0, 255] : [0, 0, 255, 255], offset)
  return PNG.sync.write(png).toString('base64')
}

const mimeType = 'image/png'

const room = { columns: 10, rows: 4 }

describe('a picture', () => {
  test('in half blocks has two pixels in a cell', () => {
    const cell = '\u001B[0;38;2;255;0;0;48;2;0;0;255m▀'
    const write = createImageWriter('blocks')
    expect(write({ base64: picture(2, 2), mimeType }, room)).toBe(`${cell}${cell}\u001B[0m`)
  })

  test('in half blocks fits the available space', () => {
    const rows = createImageWriter('blocks')({ base64: picture(400, 100), mimeType }, room)
    const lines = rows?.split('\n') ?? []
    expect(lines.map((line) => line.match(/[▀▄]/g)?.length)).toEqual([10])
  })

  test('for kitty is sent in pieces, and requests no response', () => {
    const base64 = picture(300, 300)
    const sequences = createImageWriter('kitty')({ base64, mimeType }, room) ?? ''
    // oxlint-disable-next-line no-control-regex -- sequences begin with it
    const pieces = [...sequences.matchAll(/\u001B_G([^;]*);([^\u001B]*)\u001B\\/g)]
    expect(pieces[0]?.[1]).toMatch(/^a=T,f=100,q=2,c=8,r=4,m=[01]$/)
    expect(pieces.map(([, , data]) => data).join('')).toBe(base64)
    expect(pieces.map(([piece]) => piece).join('')).toBe(sequences)
  })

  test.for(['kitty', 'iterm'] as const)('for %s contains only base64', (protocol) => {
    const whole = picture(3, 3)
    const base64 = `${whole.slice(0, 60)}\u001B]0;x\u0007${whole.slice(60)}`
    const sequences = createImageWriter(protocol)({ base64, mimeType }, room)
    expect(sequences).toBeDefined()
    expect(sequences).not.toContain(']0;x')
  })

  test('that is too large is only named in a line', () => {
    const base64 = `R0lGODlh${'A'.repeat(12_000_000)}`
    expect(createImageWriter('iterm')({ base64, mimeType: 'image/gif' }, room)).toBeUndefined()
  })

  test('for iTerm2 says how many cells it uses, and is only base64', () => {
    const base64 = picture(16, 16)
    expect(createImageWriter('iterm')({ base64: `${base64}\u0007!`, mimeType }, room)).toBe(
      `\u001B]1337;File=inline=1;size=${Buffer.from(base64, 'base64').length};width=2;height=1;preserveAspectRatio=1:${base64}\u0007`,
    )
  })

  test('in sixels is one sequence', () => {
    const sequence = createImageWriter('sixel')({ base64: picture(8, 12), mimeType }, room)
    expect(sequence).toBe(`\u001BP0;1;q"1;1;8;12#0;2;100;0;0#1;2;0;0;100#0!8~$-#1!8~$\u001B\\`)
  })

  test.for(['kitty', 'iterm', 'sixel', 'blocks'] as const)(
    'for %s is omitted if it is not an image, broken, or too large',
    (protocol) => {
      const write = createImageWriter(protocol)
      const large = Buffer.from(picture(1, 1), 'base64')
      large.writeUInt32BE(100_000, 16)
      large.writeUInt32BE(100_000, 20)
      expect(write({ base64: 'PHN2Zy8+', mimeType: 'image/svg+xml' }, room)).toBeUndefined()
      expect(write({ base64: '', mimeType }, room)).toBeUndefined()
      expect(write({ base64: large.toString('base64'), mimeType }, room)).toBeUndefined()
    },
  )

  test('is below the line that names it, and is not wrapped', () => {
    const data = { base64: picture(300, 300), alt: 'A flag' }
    const result = {
      content: [],
      isError: false,
      structuredContent: { kind: 'image', data, mimeType },
    }
    const images = createImageWriter('kitty')
    const rendered = renderTerminal(result, { columns: 40, images, colors: 'ansi' })
    expect(rendered.split('\n')).toHaveLength(2)
    expect(wrapTerminal(rendered, 40)).toBe(rendered)
  })
})

test.for([
  [{ KITTY_WINDOW_ID: '1' }, 'kitty', false],
  [{ TERM: 'xterm-kitty' }, 'kitty', true],
  [{ TERM_PROGRAM: 'ghostty' }, 'kitty', true],
  [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm', true],
  [{ TERM: 'foot' }, 'sixel', true],
  [{ TERM: 'xterm-256color', VTE_VERSION: '7600' }, 'blocks', true],
  [{ TERM: 'xterm-256color' }, 'blocks', false],
  [{ TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1' }, 'blocks', false],
] as const)('a terminal of %j shows images by %s', ([env, protocol, links]) => {
  expect(findImageProtocol(env)).toBe(protocol)
  expect(supportsHyperlinks(env)).toBe(links)
})

test.for([
  [1, 1, 1, 1],
  [16, 16, 2, 1],
  [80, 64, 10, 4],
  [160, 64, 10, 2],
  [80, 128, 5, 4],
  [400, 100, 10, 1],
  [10, 1000, 1, 4],
] as const)(
  'an image of %d × %d pixels uses %d × %d cells of ten columns and four rows',
  (sizes) => {
    const [width, height, columns, rows] = sizes
    const sequences = createImageWriter('kitty')(
      { base64: plainPicture(width, height), mimeType },
      room,
    )
    expect(sequences).toContain(`,c=${columns},r=${rows},`)
  },
)

describe('in half blocks', () => {
  const written = (rows: readonly (readonly Pixel[])[]): string | undefined =>
    createImageWriter('blocks')({ base64: makePicture(rows), mimeType }, room)?.replaceAll(
      '\u001B',
      '^',
    )

  test('a cell shows the opaque pixels of its two', () => {
    expect(
      written([
        [RED, RED, NONE, NONE],
        [BLUE, NONE, BLUE, NONE],
      ]),
    ).toBe('^[0;38;2;255;0;0;48;2;0;0;255m▀^[0;38;2;255;0;0m▀^[0;38;2;0;0;255m▄^[0m ^[0m')
  })

  test('a half opaque pixel is opaque, and the last of an odd number of rows is the upper one', () => {
    expect(written([[RED], [RED], [[1, 2, 3, 128]]])).toBe(
      '^[0;38;2;255;0;0;48;2;255;0;0m▀^[0m\n^[0;38;2;1;2;3m▀^[0m',
    )
  })

  test('an image has as many columns and twice as many rows as there is space', () => {
    const rows = createImageWriter('blocks')({ base64: plainPicture(40, 40), mimeType }, room)
    expect(rows?.split('\n').map((row) => row.split('▀').length - 1)).toEqual([8, 8, 8, 8])
  })
})

describe('in sixels', () => {
  const findSixels = (rows: readonly (readonly Pixel[])[]): string | undefined =>
    createImageWriter('sixel')({ base64: makePicture(rows), mimeType }, { columns: 100, rows: 4 })

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
    expect(findSixels(rows)).toBe(
      '\u001BP0;1;q"1;1;2;7#0;2;100;0;0#1;2;0;0;100#0tS$#1Ij$-#1@?$#0?@$\u001B\\',
    )
  })

  test('a run of four or more equal characters is written with its length', () => {
    const row = (count: number): Pixel[][] => [Array.from({ length: count }, () => RED)]
    expect(findSixels(row(3))).toContain('#0@@@$')
    expect(findSixels(row(4))).toContain('#0!4@$')
    expect(findSixels(row(12))).toContain('#0!12@$')
  })

  const shades = (count: number): Pixel[] =>
    Array.from({ length: count }, (_, index): Pixel => [
      index % 256,
      Math.floor(index / 256),
      0,
      255,
    ])
  const registers = (row: readonly Pixel[]): number =>
    findSixels([row])?.match(/#\d+;2;/g)?.length ?? 0

  test('256 colours are unchanged; with more colours, each channel has six levels', () => {
    expect(registers(shades(256))).toBe(256)
    expect(registers(shades(257))).toBe(6)
    expect(registers([RED, BLUE, RED])).toBe(2)
  })

  test('an image fits the pixels of its cells', () => {
    const sequence = createImageWriter('sixel')({ base64: plainPicture(160, 32), mimeType }, room)
    expect(sequence).toContain('"1;1;80;16#')
  })
})

describe('for kitty', () => {
  test('a piece has 4,096 characters, and all but the last say that more follow', () => {
    const noise = Array.from({ length: 60 }, (_, y) =>
      Array.from({ length: 60 }, (_x, x): Pixel => [
        (x * 7919 + y * 104_729) % 251,
        (x * y * 31) % 253,
        (x * x + y * 17) % 239,
        255,
      ]),
    )
    const sequences =
      createImageWriter('kitty')({ base64: makePicture(noise), mimeType }, room) ?? ''
    // oxlint-disable-next-line no-control-regex -- sequences begin with it
    const pieces = [...sequences.matchAll(/\u001B_G([^;]*);([^\u001B]*)\u001B\\/g)]
    expect(pieces.length).toBeGreaterThan(2)
    const keys = pieces.map(([, parameters]) => parameters)
    expect(keys).toEqual([
      'a=T,f=100,q=2,c=8,r=4,m=1',
      ...pieces.slice(2).map(() => 'q=2,m=1'),
      'q=2,m=0',
    ])
    expect(pieces.slice(0, -1).every(([, , data]) => data?.length === 4096)).toBe(true)
  })

  test('a single piece is the last', () => {
    expect(createImageWriter('kitty')({ base64: plainPicture(1, 1), mimeType }, room)).toMatch(
      // oxlint-disable-next-line no-control-regex -- sequences begin with it
      /^\u001B_Ga=T,f=100,q=2,c=1,r=1,m=0;[\w+/=]+\u001B\\$/,
    )
  })
})

describe('for iTerm2', () => {
  const iterm = createImageWriter('iterm')
  const encode = (start: string): string => Buffer.from(start, 'latin1').toString('base64')
  test.for([
    ['JPEG', '\u00FF\u00D8\u00FF\u00E0'],
    ['GIF', 'GIF89a'],
    ['WebP', 'RIFF0000WEBP'],
  ] as const)('a %s has its own width, and at most the available height', ([, start]) => {
    const base64 = encode(start)
    expect(iterm({ base64, mimeType }, room)).toBe(
      `\u001B]1337;File=inline=1;size=${start.length};width=auto;height=4;preserveAspectRatio=1:${base64}\u0007`,
    )
  })

  test.for([
    ['BMP', 'BM000000'],
    ['PDF', '%PDF-1.7'],
    ['half a PNG', '\u0089PNG\r\n\u001A\n'],
  ] as const)('a %s is not read', ([, start]) => {
    expect(iterm({ base64: encode(start), mimeType }, room)).toBeUndefined()
  })

  test('the maximum is twelve million characters', () => {
    const base64 = encode('GIF89a').padEnd(12_000_000, 'A')
    expect(iterm({ base64, mimeType }, room)).toBeDefined()
    expect(iterm({ base64: `${base64}A`, mimeType }, room)).toBeUndefined()
  })
})
