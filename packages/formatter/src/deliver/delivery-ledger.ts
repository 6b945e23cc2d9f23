import { requireArguments } from '@toolblocks/protocol/internal'
import { type ContentBlock, type Delivery, getAudience } from '@toolblocks/protocol'
import { checkMedia, placeMedia } from '../media/check-media.ts'
import { type Media, isPerceptible, findMedia } from '../media/find-media.ts'
import type { ModelProfile } from '../model/model-profile.ts'

/** The identity of a resource, and how it was or would be delivered in full. */
export type DeliveredResource = Pick<Delivery, 'uri' | 'sha256' | 'as' | 'formatted'>

/** What a model has already received, by identity. */
export interface DeliveryLedger {
  /** The last full delivery of a resource in the same way; `undefined` if there was none. */
  find(resource: DeliveredResource): Delivery | undefined
}

/** Which deliveries a reference may point to. */
export interface LedgerOptions {
  /** Earlier turns are ignored. Default: 1. */
  fromTurn?: number
  /** Whether a delivery is no longer in the model's context, for example because its turn was compacted. Default: no delivery is gone. */
  isGone?: (delivery: Delivery) => boolean
}

/**
 * Reads the deliveries of a conversation in order. A reference may only point to a full delivery whose record says how it was given. Older records
 * do not; `findContentInRequest` reads it from the results.
 */
export function createDeliveryLedger(
  deliveries: Iterable<Delivery>,
  { fromTurn = 1, isGone = () => false }: LedgerOptions = {},
): DeliveryLedger {
  requireArguments('createDeliveryLedger(deliveries, …)', [deliveries, 'iterable'])
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

/** Returns the key that equal deliveries share; `undefined` if it is unknown. A hash has a fixed length, so the parts cannot be confused. */
export function findKey({ uri, sha256, as, formatted }: DeliveredResource): string | undefined {
  if (as === undefined || (hasWords(as) && formatted === undefined)) return undefined
  return `${as} ${hasWords(as) ? formatted : ''} ${sha256} ${uri}`
}

/** Returns where a delivery is, or where it points to. An older reference without a place gives its identity. */
export function getPlace(delivery: Delivery): string {
  const { uri, sha256, form, pointsTo } = delivery
  const what = `${sha256} ${uri}`
  if (form === 'reference' && !pointsTo) return what
  const { callId, block, turn } = pointsTo ?? delivery
  return JSON.stringify([turn, callId, block, what])
}

/** How a resource reaches a model in full. */
export type Way = Required<Pick<Delivery, 'as'>>['as']

/** Whether a resource is only complete with the `formatted` text of its block. */
export function hasWords(as: Way | undefined): boolean {
  return as === 'formatted' || as === 'formatted-and-media'
}

/** Whether a resource is only complete with its bytes. */
export function hasMedia(as: Way): boolean {
  return as === 'media' || as === 'formatted-and-media'
}

/** Whether a place accepts media. Absent if the model is unknown: then media are one line of text. */
export type TakesMedia = (media: Media, block: ContentBlock) => boolean

/** Where media are: beside the text of their block in a result, or instead of it in a user message. */
export type Destination = 'result' | 'message'

/**
 * Returns how a model receives a resource in full; `undefined` if it only receives a note: content for the person alone, or bytes that no place
 * accepts.
 */
export function getWay(
  block: ContentBlock,
  takes: TakesMedia | undefined,
  destination: Destination,
): Way | undefined {
  if (getAudience(block) === 'user') return undefined
  const media = findMedia(block)
  if (block.type !== 'resource') return media && takes?.(media, block) ? 'media' : undefined
  const isSeen = media !== undefined && (takes ? takes(media, block) : isPerceptible(media))
  if (block.formatted !== undefined) {
    if (!isSeen) return 'formatted'
    // The model has the complete resource if both are known to be delivered.
    return takes && destination === 'result' ? 'formatted-and-media' : undefined
  }
  if (block.resource.text !== undefined) return isSeen ? undefined : 'text'
  return isSeen && takes ? 'media' : undefined
}

/** Which media a result, or a message after it, may carry. */
export function takenInResult(
  profile: ModelProfile | undefined,
  isError: boolean,
): TakesMedia | undefined {
  return (
    profile &&
    ((media, block) => placeMedia(media, block, { profile, isError }).position !== 'nowhere')
  )
}

/** Which media a user message may carry. */
export function takenInMessage(profile: ModelProfile | undefined): TakesMedia | undefined {
  return profile && ((media, block) => checkMedia(media, block, profile.inMessages, profile).ok)
}
