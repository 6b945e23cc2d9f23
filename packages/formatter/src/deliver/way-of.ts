import { audienceOf, type ContentBlock, type Delivery } from '@toolblocks/protocol'
import { checkMedia, placeMedia } from '../model-parts/check-media.ts'
import { isPerceptible, type Media, mediaOf } from '../model-parts/media-of.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'

/** How all of a resource reaches a model. */
export type Way = Required<Pick<Delivery, 'as'>>['as']

/** Whether all of a resource is only given with the `formatted` text of its block. */
export function hasWords(as: Way | undefined): boolean {
  return as === 'formatted' || as === 'formatted-and-media'
}

/** Whether all of a resource is only given with its bytes. */
export function hasMedia(as: Way): boolean {
  return as === 'media' || as === 'formatted-and-media'
}

/** Says whether a place takes media; absent where nobody knows what takes the result: then media are one line of text. */
export type TakesMedia = (media: Media, block: ContentBlock) => boolean

/** What takes them: in a result, media stand beside the words of their block, in a message of the user instead of them. */
export type Place = 'result' | 'message'

/** How a model gets all of a resource; `undefined` for what it is only told of: for the person alone, or bytes that nothing takes. */
export function wayOf(
  block: ContentBlock,
  takes: TakesMedia | undefined,
  place: Place,
): Way | undefined {
  if (audienceOf(block) === 'user') return undefined
  const media = mediaOf(block)
  if (block.type !== 'resource') return media && takes?.(media, block) ? 'media' : undefined
  const isSeen = media !== undefined && (takes ? takes(media, block) : isPerceptible(media))
  if (block.formatted !== undefined) {
    if (!isSeen) return 'formatted'
    // It has all of it where both are known to be given.
    return takes && place === 'result' ? 'formatted-and-media' : undefined
  }
  if (block.resource.text !== undefined) return isSeen ? undefined : 'text'
  return isSeen && takes ? 'media' : undefined
}

/** What a result, or what stands behind it, may carry. */
export function takenInResult(
  profile: ModelProfile | undefined,
  isError: boolean,
): TakesMedia | undefined {
  return (
    profile &&
    ((media, block) => placeMedia(media, block, { profile, isError }).place !== 'nowhere')
  )
}

/** What a message of the user may carry. */
export function takenInMessage(profile: ModelProfile | undefined): TakesMedia | undefined {
  return profile && ((media, block) => checkMedia(media, block, profile.inMessages, profile).ok)
}
