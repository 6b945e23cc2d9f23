import { partsOfColor, type Rendition } from './graphic-rendition.ts'

/** What decides whether letters can be seen. A colour is red, green and blue in one number; undefined is the terminal's own. */
export interface Grounds {
  foreground: number | undefined
  /** Many terminals write bold letters in the bright colour. */
  bright: number | undefined
  background: number | undefined
  isBold: boolean
}

export const OWN_GROUNDS: Grounds = {
  foreground: undefined,
  bright: undefined,
  background: undefined,
  isBold: false,
}

/** The first sixteen colours of xterm; people change them, but seldom into each other. */
const NAMED: readonly number[] = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
  0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
]
const LEVELS: readonly number[] = [0, 95, 135, 175, 215, 255]

/** What settings change, all together. */
export function changeOfGrounds(renditions: readonly Rendition[]): Partial<Grounds> {
  return Object.assign({}, ...renditions.map(({ code, text }) => changeOf(code, text)))
}

/** Whether letters differ from what is behind them. Swapping both changes nothing. */
export function areLettersVisible({ foreground, bright, background, isBold }: Grounds): boolean {
  if (background === undefined) return true
  return foreground !== background && !(isBold && bright === background)
}

function changeOf(code: number, text: string): Partial<Grounds> {
  if (code === 0) return OWN_GROUNDS
  if (code === 1) return { isBold: true }
  if (code === 22) return { isBold: false }
  if (code === 39) return { foreground: undefined, bright: undefined }
  if (code === 49) return { background: undefined }
  if (code === 38 || code === 48) return onGround(code, partsOfColor(text) ?? [])
  const bright = code >= 90 ? 8 : 0
  const base = code >= 90 ? 90 : 30
  const place = code - base
  if (place >= 0 && place < 8) return onGround(38, [place + bright])
  return place >= 10 && place < 18 ? onGround(48, [place - 10 + bright]) : {}
}

function onGround(ground: 38 | 48, parts: readonly number[]): Partial<Grounds> {
  const [index = 0] = parts
  const color = parts.length === 1 ? indexed(index) : together(parts)
  if (ground === 48) return { background: color }
  const hasBright = parts.length === 1 && index < 8
  return { foreground: color, bright: hasBright ? indexed(index + 8) : undefined }
}

/** A colour of the palette: sixteen by name, a cube of 6 × 6 × 6, and 24 greys. */
function indexed(index: number): number {
  if (index < 16) return NAMED[index] ?? 0
  if (index >= 232) return together([0, 0, 0].map(() => 8 + 10 * (index - 232)))
  const place = index - 16
  return together([place / 36, (place / 6) % 6, place % 6].map((at) => LEVELS[Math.floor(at)] ?? 0))
}

function together(parts: readonly number[]): number {
  return parts.reduce((color, part) => color * 256 + part, 0)
}
