import type { Pixels } from './read-png.ts'

const BAND = 6

/** Pixels in sixels: bands of six rows, in each a row of characters for every colour that is in it. */
export function encodeSixels(
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
        const at = (y * width + x) * 4
        const number = numbers.get(data.subarray(at, at + 3).join()) ?? 0
        const row = rows.get(number) ?? new Uint8Array(width)
        row[x] = (row[x] ?? 0) | (1 << (y - top))
        rows.set(number, row)
      }
    }
    bands.push([...rows].map(([number, row]) => `#${number}${repeatsOf(row)}$`).join(''))
  }
  return `\u001BP0;1;q"1;1;${width};${height}${registers.join('')}${bands.join('-')}\u001B\\`
}

function repeatsOf(row: Uint8Array): string {
  const text = Array.from(row, (bits) => String.fromCodePoint(63 + bits)).join('')
  return text.replaceAll(/(.)\1{3,}/g, (run: string, one: string) => `!${run.length}${one}`)
}
