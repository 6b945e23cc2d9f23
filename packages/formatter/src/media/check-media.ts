import { type ContentBlock } from '@toolblocks/protocol'
import { decodeBase64, formatByteSize, getBase64ByteLength } from '@toolblocks/protocol/internal'
import { imageSize } from 'image-size'
import type { MediaRule, ModelProfile } from '../model/model-profile.ts'
import type { Media } from './find-media.ts'

/** Media as a provider accepts them, or the reason why it does not. */
type CheckedMedia = { ok: true; media: Media } | { ok: false; reason: string }

/** The reason for omitting media that a provider would accept alone. */
export const CROWDED = 'this model accepts no more media in one request; later media were kept'

/** Checks media against the rules of a place. A refused image would stay in the history and fail every later request. */
export function checkMedia(
  media: Media,
  block: ContentBlock,
  rules: readonly MediaRule[],
  { maxImageSide = Infinity }: Pick<ModelProfile, 'maxImageSide'>,
): CheckedMedia {
  if (rules.length === 0) return refuseMedia('this model does not accept it')
  const isImage = media.mediaType.startsWith('image/')
  const image = isImage ? readImage(block, media.data) : undefined
  const { mediaType } = image ?? media
  const rule = rules.find(({ type }) => matchesRule(type, mediaType))
  if (!rule) return refuseMedia('this model does not accept it')
  if (media.data === '') return refuseMedia('it has no bytes')
  if (isImage && !image) return refuseMedia('it could not be read as an image')
  if (media.data.length > rule.maxLength) {
    const [size, most] = [getBase64ByteLength(media.data), Math.floor((rule.maxLength * 3) / 4)]
    return refuseMedia(
      `its ${formatByteSize(size)} are more than the ${formatByteSize(most)} this model accepts`,
    )
  }
  if (image && Math.max(image.width, image.height) > maxImageSide)
    return refuseMedia(
      `its ${image.width} × ${image.height} pixels are more than the ${maxImageSide} a side this model accepts`,
    )
  return { ok: true, media: mediaType === media.mediaType ? media : { ...media, mediaType } }
}

function refuseMedia(reason: string): CheckedMedia {
  return { ok: false, reason }
}

/** Whether a rule names a type. */
export function matchesRule(rule: string, mediaType: string): boolean {
  return rule.endsWith('/*') ? mediaType.startsWith(rule.slice(0, -1)) : rule === mediaType
}

/** The place of a result's media, or the reason why they have none. */
type PlacedMedia =
  | { position: 'in-result' | 'behind'; media: Media }
  | { position: 'nowhere'; reason: string }

/** Finds the place of a result's media: in the result, else after all results. */
export function placeMedia(
  media: Media,
  block: ContentBlock,
  { profile, isError }: { profile: ModelProfile; isError: boolean },
): PlacedMedia {
  if (!isError || profile.inFailedResults) {
    const here = checkMedia(media, block, profile.inResults, profile)
    if (here.ok) return { position: 'in-result', media: here.media }
  }
  const behind = checkMedia(media, block, profile.afterResults, profile)
  return behind.ok
    ? { position: 'behind', media: behind.media }
    : { position: 'nowhere', reason: behind.reason }
}

/** Facts from the first bytes of an image. */
export interface ImageFacts {
  mediaType: string
  width: number
  height: number
  /** The EXIF orientation of a JPEG, from 1 to 8. */
  orientation: number
}

/** The size is at the beginning, except in a JPEG, which may have a preview and colours before it. */
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

/** Facts of blocks that were read before, because every request contains the complete conversation. */
const knownFacts = new WeakMap<ContentBlock, { data: string; facts: ImageFacts | undefined }>()

/** Reads the type and size of a base64 image in a block; `undefined` if it is not an image that models accept. */
export function readImage(block: ContentBlock, data: string): ImageFacts | undefined {
  const before = knownFacts.get(block)
  if (before?.data === data) return before.facts
  const facts = readHead(data)
  knownFacts.set(block, { data, facts })
  return facts
}

function readHead(data: string): ImageFacts | undefined {
  const head = data.slice(0, data.startsWith('/9j/') ? HEAD_OF_JPEG : HEAD)
  try {
    const { type = '', width, height, orientation = 1 } = imageSize(decodeBase64(head))
    const mediaType = TYPES.get(type)
    return mediaType === undefined || !(width > 0 && height > 0)
      ? undefined
      : { mediaType, width, height, orientation }
  } catch {
    return undefined
  }
}
