import { PNG } from 'pngjs'

/** Red, green, blue and opacity. */
export type Pixel = readonly [number, number, number, number]

export const RED: Pixel = [255, 0, 0, 255]
export const BLUE: Pixel = [0, 0, 255, 255]
export const NONE: Pixel = [9, 9, 9, 127]

/** A PNG of these rows of pixels, in base64. */
export function makePicture(rows: readonly (readonly Pixel[])[]): string {
  const png = new PNG({ width: rows[0]?.length ?? 0, height: rows.length })
  png.data.set(rows.flat(2))
  return PNG.sync.write(png).toString('base64')
}

/** A PNG of one colour. */
export function plainPicture(width: number, height: number, pixel: Pixel = RED): string {
  return makePicture(
    Array.from({ length: height }, () => Array.from({ length: width }, () => pixel)),
  )
}
