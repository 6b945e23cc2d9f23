import { requireChoice } from '@toolblocks/protocol/internal'
import { sniffMimeType } from '@toolblocks/media-type'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import type { ImageProtocol, ImageBounds, ImageWriter } from '../terminal/find-abilities.ts'
import { type Pixels, readPng, readPngSize } from './read-png.ts'

/**
 * Creates a writer of pictures for a terminal: PNG, and JPEG, GIF and WebP for iTerm2. Needs pngjs, an optional peer. For bytes that are not a
 * picture, or too large, the renderer writes a line with their name.
 */
export function createImageWriter(protocol: ImageProtocol): ImageWriter {
  const protocols = ['kitty', 'iterm', 'sixel', 'blocks']
  requireChoice('createImageWriter(protocol)', 'protocol', protocol, protocols)
  switch (protocol) {
    case 'kitty':
      return encodeKitty
    case 'iterm':
      return encodeIterm
    case 'sixel':
      return encodeSixel
    case 'blocks':
      return encodeBlocks
  }
}

/** Maximum characters of one sequence. */
const CHUNK = 4096

/** Writes a PNG by kitty's graphics protocol, without a response (`q=2`), because a response would be read as typed input. */
const encodeKitty: ImageWriter = ({ base64 }, room) => {
  const png = readPngSize(base64)
  if (!png) return undefined
  const { columns, rows } = roomInCells(png, room)
  // Encoded again, so that it contains only base64.
  const chunks = png.bytes.toString('base64').match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? []
  const sequences = chunks.map((chunk, index) => {
    const more = index === chunks.length - 1 ? 0 : 1
    const keys = index === 0 ? `a=T,f=100,q=2,c=${columns},r=${rows},m=${more}` : `q=2,m=${more}`
    return `\u001B_G${keys};${chunk}\u001B\\`
  })
  return toTerminalText(sequences.join(''))
}

const READ_BY_ITERM: ReadonlySet<string | undefined> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
])

const MAX_LENGTH = 12_000_000

/** Writes a picture by iTerm2's protocol, if its first bytes are those of one. */
const encodeIterm: ImageWriter = ({ base64 }, room) => {
  if (base64.length > MAX_LENGTH) return undefined
  const bytes = Buffer.from(base64, 'base64')
  const type = sniffMimeType(bytes.subarray(0, 16))
  const png = type === 'image/png' ? readPngSize(base64) : undefined
  if (!READ_BY_ITERM.has(type) || (type === 'image/png' && !png)) return undefined
  const { columns, rows } = png ? roomInCells(png, room) : { columns: 'auto', rows: room.rows }
  const keys = `inline=1;size=${bytes.length};width=${columns};height=${rows};preserveAspectRatio=1`
  return toTerminalText(`\u001B]1337;File=${keys}:${bytes.toString('base64')}\u0007`)
}

type Color = [number, number, number]

/** Colour registers that every sixel terminal has. */
const MAX_COLORS = 256

/** Levels of red, green and blue if a picture has more colours: 216 together. */
const STEP = 51

/** Writes a PNG as sixels. */
const encodeSixel: ImageWriter = ({ base64 }, { columns, rows }) => {
  const pixels = readPng(base64, { width: columns * CELL.width, height: rows * CELL.height })
  if (!pixels) return undefined
  const { width, height } = pixels
  const exact = findColors(pixels.data)
  const data = exact ? pixels.data : pixels.data.map((part) => Math.round(part / STEP) * STEP)
  return toTerminalText(encodeSixels({ data, width, height }, exact ?? findColors(data) ?? []))
}

/** Returns every colour once; `undefined` if there are more than registers. */
function findColors(data: Uint8Array): Color[] | undefined {
  const colors = new Map<number, Color>()
  for (let offset = 0; offset < data.length; offset += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(offset, offset + 3)
    colors.set(red * 0x1_00_00 + green * 0x1_00 + blue, [red, green, blue])
    if (colors.size > MAX_COLORS) return undefined
  }
  return [...colors.values()]
}

const BAND = 6

/** Encodes pixels as sixels: bands of six rows, each with a row of characters for every colour in it. */
function encodeSixels(
  { data, width, height }: Pixels,
  colors: readonly (readonly [number, number, number])[],
): string {
  const numbers = new Map(colors.map((color, index) => [color.join(), index]))
  const registers = colors.map(
    (color, index) =>
      `#${index};2;${color.map((part) => Math.round((part * 100) / 255)).join(';')}`,
  )
  const bands: string[] = []
  for (let top = 0; top < height; top += BAND) {
    const rows = new Map<number, Uint8Array>()
    for (let y = top; y < Math.min(height, top + BAND); y += 1) {
      for (let x = 0; x < width; x += 1) {
        const offset = (y * width + x) * 4
        const number = numbers.get(data.subarray(offset, offset + 3).join()) ?? 0
        const row = rows.get(number) ?? new Uint8Array(width)
        row[x] = (row[x] ?? 0) | (1 << (y - top))
        rows.set(number, row)
      }
    }
    bands.push([...rows].map(([number, row]) => `#${number}${getRepeats(row)}$`).join(''))
  }
  return `\u001BP0;1;q"1;1;${width};${height}${registers.join('')}${bands.join('-')}\u001B\\`
}

function getRepeats(row: Uint8Array): string {
  const text = Array.from(row, (bits) => String.fromCodePoint(63 + bits)).join('')
  return text.replaceAll(/(.)\1{3,}/g, (run: string, one: string) => `!${run.length}${one}`)
}

/** More transparent pixels are ignored. */
const SOLID = 128

/** Writes a PNG with two pixels in each cell: the upper one as the foreground, the lower one as the background. */
const encodeBlocks: ImageWriter = ({ base64 }, { columns, rows }) => {
  const pixels = readPng(base64, { width: columns, height: rows * 2 })
  if (!pixels) return undefined
  const lines = Array.from({ length: Math.ceil(pixels.height / 2) }, (_, row) => {
    const cells = Array.from({ length: pixels.width }, (_cell, x) =>
      encodeCell(colorAt(pixels, x, row * 2), colorAt(pixels, x, row * 2 + 1)),
    )
    return `${cells.join('')}\u001B[0m`
  })
  return toTerminalText(lines.join('\n'))
}

function encodeCell(upper: string | undefined, lower: string | undefined): string {
  if (upper === undefined && lower === undefined) return '\u001B[0m '
  if (upper === undefined) return `\u001B[0;38;2;${lower}m▄`
  if (lower === undefined) return `\u001B[0;38;2;${upper}m▀`
  return `\u001B[0;38;2;${upper};48;2;${lower}m▀`
}

/** Returns the red, green and blue of a pixel; `undefined` for a transparent one. */
function colorAt({ width, height, data }: Pixels, x: number, y: number): string | undefined {
  if (y >= height) return undefined
  const offset = (y * width + x) * 4
  if ((data[offset + 3] ?? 0) < SOLID) return undefined
  return data.subarray(offset, offset + 3).join(';')
}

/** Pixels of a cell in most terminals. */
const CELL = { width: 8, height: 16 }

/** Returns the columns and rows of a picture: within the available room, never enlarged. */
function roomInCells(
  { width, height }: { width: number; height: number },
  { columns, rows }: ImageBounds,
): ImageBounds {
  const scale = Math.min(1, (columns * CELL.width) / width, (rows * CELL.height) / height)
  return {
    columns: Math.max(1, Math.round((width * scale) / CELL.width)),
    rows: Math.max(1, Math.round((height * scale) / CELL.height)),
  }
}
