import type { ContentBlock } from '@toolblocks/protocol'
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

/** Of blocks that were read before: all that a conversation holds is written anew with each request. */
const known = new WeakMap<ContentBlock, { data: string; facts: ImageFacts | undefined }>()

/** Reads type and size of an image in base64, which stands in a block; `undefined` for what is none that models take. */
export function readImage(block: ContentBlock, data: string): ImageFacts | undefined {
  const before = known.get(block)
  if (before?.data === data) return before.facts
  const facts = readHead(data)
  known.set(block, { data, facts })
  return facts
}

function readHead(data: string): ImageFacts | undefined {
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
