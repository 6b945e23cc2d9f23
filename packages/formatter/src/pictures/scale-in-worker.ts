import type * as Photon from '@cf-wasm/photon/node'
import type { MessagePort } from 'node:worker_threads'
import type { ScaledPicture, ScaleTarget } from './scaled-picture.ts'

/** A picture to scale, as the worker receives it. */
export interface ScaleJob {
  bytes: Uint8Array<ArrayBuffer>
  target: ScaleTarget
}

/** What the worker sends: it is ready, or the outcome of a job. */
export type ScaleMessage = { type: 'ready' } | { type: 'done'; outcome: ScaledPicture }

/**
 * Scales the pictures that a worker receives. The text of this function is the program of the worker, so that it works in each bundle: it uses only its
 * parameters. A decoder that fails may leave its memory in any state, so the worker ends with it.
 */
export async function scaleInWorker(
  port: MessagePort,
  photon: Promise<typeof Photon>,
): Promise<void> {
  const { PhotonImage, SamplingFilter, resize } = await photon
  const QUALITIES = [85, 75, 60, 45]
  /** How much a side may shrink in one step if no quality makes the picture small enough. */
  const [MIN_STEP, MAX_STEP] = [0.3, 0.9]

  type Image = InstanceType<typeof PhotonImage>

  port.on('message', ({ bytes, target }: ScaleJob) => {
    const outcome = scale(bytes, target)
    const message: ScaleMessage = { type: 'done', outcome }
    port.postMessage(message, outcome.ok ? [outcome.bytes.buffer] : [])
  })
  const ready: ScaleMessage = { type: 'ready' }
  port.postMessage(ready)

  function scale(bytes: Uint8Array, target: ScaleTarget): ScaledPicture {
    const decoded = PhotonImage.new_from_byteslice(bytes)
    const shareOfPixels =
      (target.width * target.height) / (decoded.get_width() * decoded.get_height())
    let scaled = resizeTo(decoded, target.width, target.height)
    decoded.free()
    scaled = orient(scaled, target.orientation)
    const isClear = hasClearPixels(scaled)
    for (let round = 0; ; round += 1) {
      const [width, height] = [scaled.get_width(), scaled.get_height()]
      // A smaller PNG has more bytes a pixel, so an attempt is a waste if its share of the bytes is too much already.
      const isHopeless = round > 0 || bytes.length * shareOfPixels > 2 * target.maxBytes
      const { encoded, least } = encode(scaled, { isClear, isHopeless, target })
      if (encoded) return { ok: true, ...encoded, width, height }
      if (width === 1 && height === 1)
        return { ok: false, reason: 'no encoding of it is small enough' }
      const step = Math.min(MAX_STEP, Math.max(MIN_STEP, Math.sqrt(target.maxBytes / least) * 0.95))
      const smaller = resizeTo(scaled, Math.floor(width * step), Math.floor(height * step))
      scaled.free()
      scaled = smaller
    }
  }

  function resizeTo(image: Image, width: number, height: number): Image {
    return resize(image, Math.max(1, width), Math.max(1, height), SamplingFilter.Triangle)
  }

  /** PNG keeps texts sharp, so it comes first, except for what was a JPEG. `least`: the bytes of the smallest attempt. */
  function encode(
    image: Image,
    {
      isClear,
      isHopeless,
      target: { mimeType, types, maxBytes },
    }: { isClear: boolean; isHopeless: boolean; target: ScaleTarget },
  ): { encoded?: { bytes: Uint8Array<ArrayBuffer>; mimeType: string }; least: number } {
    let least = Infinity
    const takesJpeg = types.includes('image/jpeg')
    if (types.includes('image/png') && !(takesJpeg && (isHopeless || mimeType === 'image/jpeg'))) {
      const bytes = image.get_bytes()
      least = bytes.length
      if (least <= maxBytes)
        return { encoded: { bytes: bytes.slice(), mimeType: 'image/png' }, least }
    }
    if (!takesJpeg) return { least }
    const opaque = isClear ? onWhite(image) : image
    try {
      for (const quality of QUALITIES) {
        const bytes = opaque.get_bytes_jpeg(quality)
        least = bytes.length
        if (least <= maxBytes)
          return { encoded: { bytes: bytes.slice(), mimeType: 'image/jpeg' }, least }
      }
      return { least }
    } finally {
      if (opaque !== image) opaque.free()
    }
  }

  function hasClearPixels(image: Image): boolean {
    const pixels = image.get_raw_pixels()
    for (let index = 3; index < pixels.length; index += 4) if (pixels[index] !== 255) return true
    return false
  }

  /** A JPEG has no clear pixels. Without this step they would become black. */
  function onWhite(image: Image): Image {
    const pixels = image.get_raw_pixels()
    for (let index = 0; index < pixels.length; index += 4) {
      const alpha = pixels[index + 3]! / 255
      for (let channel = index; channel < index + 3; channel += 1)
        pixels[channel] = Math.round(pixels[channel]! * alpha + 255 * (1 - alpha))
      pixels[index + 3] = 255
    }
    return new PhotonImage(pixels, image.get_width(), image.get_height())
  }

  /** Turns the pixels as the EXIF orientation (1 to 8) says, because the new file does not have it. */
  function orient(image: Image, orientation: number): Image {
    if (orientation < 2 || orientation > 8) return image
    const [width, height] = [image.get_width(), image.get_height()]
    const from = new Uint32Array(image.get_raw_pixels().slice().buffer)
    const isTurned = orientation >= 5
    const [newWidth, newHeight] = isTurned ? [height, width] : [width, height]
    const isMirroredX = [2, 3, 7, 8].includes(orientation)
    const isMirroredY = [3, 4, 6, 7].includes(orientation)
    const to = new Uint32Array(from.length)
    for (let y = 0; y < newHeight; y += 1)
      for (let x = 0; x < newWidth; x += 1) {
        const [column, row] = isTurned ? [y, x] : [x, y]
        const sourceX = isMirroredX ? width - 1 - column : column
        const sourceY = isMirroredY ? height - 1 - row : row
        to[y * newWidth + x] = from[sourceY * width + sourceX]!
      }
    image.free()
    return new PhotonImage(new Uint8Array(to.buffer), newWidth, newHeight)
  }
}
