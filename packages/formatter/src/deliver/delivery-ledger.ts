import { type ContentBlock, type Delivery, getAudience } from '@toolblocks/protocol'
import { checkMedia, placeMedia } from '../media/check-media.ts'
import { type Media, isPerceptible, findMedia } from '../media/find-media.ts'
import type { ModelProfile } from '../model/model-profile.ts'

/** What a resource is, and how all of it was or would be given. */
export type DeliveredResource = Pick<Delivery, 'uri' | 'sha256' | 'as' | 'formatted'>

/** What a model was given before, by what it is. */
export interface DeliveryLedger {
  /** The last delivery of all of a resource in the same way; `undefined` where the model has not been given it so. */
  find(resource: DeliveredResource): Delivery | undefined
}

/** Which deliveries a model can still be pointed to. */
export interface LedgerOptions {
  /** Turns before this one are too far back. Default: 1. */
  fromTurn?: number
  /** Says whether a delivery is no longer in what the model gets, for example because its turn was compacted. Default: none is. */
  isGone?: (delivery: Delivery) => boolean
}

/**
 * Reads the deliveries of a conversation, in their order. Only what was given in full can be pointed to, and only where the record says how it was
 * given: older ones do not, and `findContentInRequest` reads it from the results.
 */
export function createDeliveryLedger(
  deliveries: Iterable<Delivery>,
  { fromTurn = 1, isGone = () => false }: LedgerOptions = {},
): DeliveryLedger {
  const full = new Map<string, Delivery>()
  for (const delivery of deliveries) {
    const key = findKey(delivery)
    if (key === undefined || delivery.form !== 'full' || delivery.turn < fromTurn) continue
    if (!isGone(delivery)) full.set(key, delivery)
  }
  return {
    find: (resource) => {
      const key = findKey(resource)
      return key === undefined ? undefined : full.get(key)
    },
  }
}

/** What two deliveries share that give the same; `undefined` where it is not known. A hash has a fixed length, so the parts cannot run into each other. */
export function findKey({ uri, sha256, as, formatted }: DeliveredResource): string | undefined {
  if (as === undefined || (hasWords(as) && formatted === undefined)) return undefined
  return `${as} ${hasWords(as) ? formatted : ''} ${sha256} ${uri}`
}

/** Where a delivery stands, or points to; of an older reference, which does not say where, only what it is. */
export function getPlace(delivery: Delivery): string {
  const { uri, sha256, form, pointsTo } = delivery
  const what = `${sha256} ${uri}`
  if (form === 'reference' && !pointsTo) return what
  const { callId, block, turn } = pointsTo ?? delivery
  return JSON.stringify([turn, callId, block, what])
}

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
export function getWay(
  block: ContentBlock,
  takes: TakesMedia | undefined,
  place: Place,
): Way | undefined {
  if (getAudience(block) === 'user') return undefined
  const media = findMedia(block)
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
