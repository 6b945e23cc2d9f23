import { toTerminalText } from '../terminal-text.ts'
import type { ImageWriter } from '../terminal/image-writer.ts'
import { encodeSixels } from './encode-sixels.ts'
import { readPng } from './read-png.ts'
import { CELL } from './room-in-cells.ts'

type Color = [number, number, number]

/** Registers of colours that every terminal with sixels has. */
const MOST_COLORS = 256
/** Levels of red, green and blue where a picture has more colours: 216 together. */
const STEP = 51

/** A PNG in sixels. */
export const writeSixel: ImageWriter = ({ base64 }, { columns, rows }) => {
  const pixels = readPng(base64, { width: columns * CELL.width, height: rows * CELL.height })
  if (!pixels) return undefined
  const { width, height } = pixels
  const exact = colorsOf(pixels.data)
  const data = exact ? pixels.data : pixels.data.map(toLevel)
  return toTerminalText(encodeSixels({ data, width, height }, exact ?? colorsOf(data) ?? []))
}

/** Every colour once; undefined for more than there are registers. */
function colorsOf(data: Uint8Array): Color[] | undefined {
  const colors = new Map<number, Color>()
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    colors.set(red * 0x1_00_00 + green * 0x1_00 + blue, [red, green, blue])
    if (colors.size > MOST_COLORS) return undefined
  }
  return [...colors.values()]
}

function toLevel(part: number): number {
  return Math.round(part / STEP) * STEP
}
