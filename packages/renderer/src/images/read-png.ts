import { describeMissingPeer } from '@toolblocks/protocol/internal'
import type * as Pngjs from 'pngjs'

/** Loaded here so that a missing optional peer gives an error that names it. */
const { PNG }: typeof Pngjs = await import('pngjs').catch((cause: unknown) => {
  throw describeMissingPeer(cause, { entry: '@toolblocks/renderer/images', peer: 'pngjs' })
})

/** Maximum characters of base64, and pixels: a small file may contain a picture that fills the memory. */
const MAX_LENGTH = 12_000_000
const MAX_PIXELS = 4_000_000
const SIGNATURE = '89504e470d0a1a0a'

/** The size of a PNG from its first bytes. */
export interface PngSize {
  bytes: Buffer
  width: number
  height: number
}

/** Pixels from left to right and top to bottom: red, green, blue and opacity, each from 0 to 255. */
export interface Pixels {
  width: number
  height: number
  data: Uint8Array
}

/** Returns the size of a base64 picture; `undefined` if it is not a PNG, or too large. */
export function readPngSize(base64: string): PngSize | undefined {
  if (base64.length > MAX_LENGTH) return undefined
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length < 24 || bytes.toString('hex', 0, 8) !== SIGNATURE) return undefined
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const isShowable = width > 0 && height > 0 && width * height <= MAX_PIXELS
  return isShowable ? { bytes, width, height } : undefined
}

/** Returns the pixels of a PNG within a size. A larger picture is scaled down. */
export function readPng(
  base64: string,
  most: { width: number; height: number },
): Pixels | undefined {
  const png = readPngSize(base64)
  const whole = png && decode(png.bytes)
  if (!whole) return undefined
  const scale = Math.min(1, most.width / whole.width, most.height / whole.height)
  return scale === 1 ? whole : shrink(whole, scale)
}

/** Returns `undefined` for a file that the library cannot read: it throws for any defect. */
function decode(bytes: Buffer): Pixels | undefined {
  try {
    const { width, height, data } = PNG.sync.read(bytes)
    return { width, height, data }
  } catch {
    return undefined
  }
}

function shrink({ width, height, data }: Pixels, scale: number): Pixels {
  const wide = Math.max(1, Math.floor(width * scale))
  const high = Math.max(1, Math.floor(height * scale))
  const small = new Uint8Array(wide * high * 4)
  for (let y = 0; y < high; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      const [left, right] = [Math.floor((x * width) / wide), Math.ceil(((x + 1) * width) / wide)]
      const [top, bottom] = [Math.floor((y * height) / high), Math.ceil(((y + 1) * height) / high)]
      const sums = [0, 0, 0, 0]
      for (let row = top; row < bottom; row += 1) {
        for (let offset = (row * width + left) * 4; offset < (row * width + right) * 4; offset += 4)
          for (let part = 0; part < 4; part += 1)
            sums[part] = (sums[part] ?? 0) + (data[offset + part] ?? 0)
      }
      const count = (right - left) * (bottom - top)
      small.set(
        sums.map((sum) => Math.round(sum / count)),
        (y * wide + x) * 4,
      )
    }
  }
  return { width: wide, height: high, data: small }
}
