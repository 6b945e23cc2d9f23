import { toTerminalText } from '../terminal-text.ts'
import type { ImageWriter } from '../terminal/image-writer.ts'
import { type Pixels, readPng } from './read-png.ts'

/** Less solid pixels are as if they were not there. */
const SOLID = 128

/** A PNG with two pixels in each cell: the upper one in the colour of the letter, the lower one in that behind it. */
export const writeBlocks: ImageWriter = ({ base64 }, { columns, rows }) => {
  const pixels = readPng(base64, { width: columns, height: rows * 2 })
  if (!pixels) return undefined
  const lines = Array.from({ length: Math.ceil(pixels.height / 2) }, (_, row) => {
    const cells = Array.from({ length: pixels.width }, (_cell, x) =>
      writeCell(colorAt(pixels, x, row * 2), colorAt(pixels, x, row * 2 + 1)),
    )
    return `${cells.join('')}\u001B[0m`
  })
  return toTerminalText(lines.join('\n'))
}

function writeCell(upper: string | undefined, lower: string | undefined): string {
  if (upper === undefined && lower === undefined) return '\u001B[0m '
  if (upper === undefined) return `\u001B[0;38;2;${lower}m▄`
  if (lower === undefined) return `\u001B[0;38;2;${upper}m▀`
  return `\u001B[0;38;2;${upper};48;2;${lower}m▀`
}

/** Red, green and blue as a colour has them; undefined where nothing solid is. */
function colorAt({ width, height, data }: Pixels, x: number, y: number): string | undefined {
  if (y >= height) return undefined
  const at = (y * width + x) * 4
  if ((data[at + 3] ?? 0) < SOLID) return undefined
  return data.subarray(at, at + 3).join(';')
}
