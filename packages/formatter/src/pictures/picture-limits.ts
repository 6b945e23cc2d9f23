import { requireArguments } from '@toolblocks/protocol/internal'
import { matchesRule } from '../media/check-media.ts'
import type { ModelProfile } from '../model/model-profile.ts'

/** What a picture may be at most. */
export interface PictureLimits {
  /** Maximum pixels of a side. Default: no limit. */
  maxSide?: number
  /** Maximum base64 characters. Default: no limit. */
  maxLength?: number
  /** The accepted MIME types. Default: `image/png`, `image/jpeg`, `image/gif` and `image/webp`. */
  types?: readonly string[]
}

/** The types that most models accept, and that can be scaled. */
export const WEB_PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** The pictures of a conversation that a request must have room for. */
const PICTURES_IN_REQUEST = 32

/**
 * Returns the limits of each picture for a model; `undefined` if it accepts no pictures. The same limits hold for the first picture and the last one of a
 * conversation: the side for requests with many pictures, and a thirty-second of what a request may have of them. So a picture that was sent is
 * the same in each later request, and the cache of the provider stays valid.
 */
export function getPictureLimits(profile: ModelProfile): PictureLimits | undefined {
  requireArguments('getPictureLimits(profile)', [
    profile,
    { inResults: 'array', afterResults: 'array', inMessages: 'array' },
  ])
  const { inResults, afterResults, inMessages, inRequest, maxImageSide, manyImages } = profile
  const ofResults = [...inResults, ...afterResults]
  const accepted = WEB_PICTURES.flatMap((type) => {
    const rules = (ofResults.length > 0 ? ofResults : inMessages).filter((rule) =>
      matchesRule(rule.type, type),
    )
    return rules.length === 0 ? [] : { type, maxLength: rules.map((rule) => rule.maxLength) }
  })
  if (accepted.length === 0) return undefined
  const share = Math.floor((inRequest?.maxLength ?? Infinity) / PICTURES_IN_REQUEST)
  const maxLength = Math.min(share, ...accepted.flatMap((each) => each.maxLength))
  const maxSide = Math.min(maxImageSide ?? Infinity, manyImages?.maxImageSide ?? Infinity)
  return {
    types: accepted.map(({ type }) => type),
    ...(maxLength < Infinity && { maxLength }),
    ...(maxSide < Infinity && { maxSide }),
  }
}
