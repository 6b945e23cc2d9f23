import { imageSize } from 'image-size'

/** What the first bytes of an image say. */
export interface ImageFacts {
  mediaType: string
  width: number
  height: number
}

/** Sizes stand at the beginning, except in a JPEG, which may have a preview and colours before them. */
const HEAD = 16_384
const HEAD_OF_JPEG = 2 ** 20
const TYPES = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
])

/** Reads type and size of an image in base64; `undefined` for what is none that models take. */
export function readImage(data: string): ImageFacts | undefined {
  const head = data.slice(0, data.startsWith('/9j/') ? HEAD_OF_JPEG : HEAD)
  try {
    const { type = '', width, height } = imageSize(Buffer.from(head, 'base64'))
    const mediaType = TYPES.get(type)
    return mediaType === undefined || !(width > 0 && height > 0)
      ? undefined
      : { mediaType, width, height }
  } catch {
    return undefined
  }
}
