import type { ContentBlock, Delivery } from '@toolblocks/protocol'
import type { ModelMessage } from '../conversation/model-request.ts'
import { matchesRule } from '../model-parts/check-media.ts'
import { type Media, mediaOf } from '../model-parts/media-of.ts'
import type { MediaRule, ModelProfile } from '../model-parts/model-profile.ts'

/** Media that a request has no room for: numbers of blocks, by the content that they stand in. */
export type Crowded = ReadonlyMap<readonly ContentBlock[], ReadonlySet<number>>

const NONE: Crowded = new Map()

/** Finds what is left out so that a request keeps to its limit; what was said last is kept longest. */
export function findCrowded(messages: readonly ModelMessage[], profile: ModelProfile): Crowded {
  const { inRequest } = profile
  if (!inRequest) return NONE
  const { maxItems = Infinity, maxLength = Infinity } = inRequest
  const all = messages.flatMap((message) => mediaIn(message, profile))
  const crowded = new Map<readonly ContentBlock[], Set<number>>()
  let [items, length] = [0, 0]
  for (const { content, index, media } of all.toReversed()) {
    items += 1
    length += media.data.length
    if (items <= maxItems && length <= maxLength) continue
    crowded.set(content, (crowded.get(content) ?? new Set()).add(index))
  }
  return crowded
}

interface Placed {
  content: readonly ContentBlock[]
  index: number
  media: Media
}

/** Media that a provider would take, were they the only ones. */
function mediaIn(message: ModelMessage, profile: ModelProfile): readonly Placed[] {
  switch (message.role) {
    case 'user':
      return taken(message.content, profile.inMessages)
    case 'tool': {
      const rules = [...profile.inResults, ...profile.behindResults]
      return message.results.flatMap(({ result, deliveries }) =>
        taken(result.content, rules, deliveries),
      )
    }
    case 'assistant':
      return []
  }
}

function taken(
  content: readonly ContentBlock[],
  rules: readonly MediaRule[],
  deliveries: readonly Delivery[] = [],
): readonly Placed[] {
  return content.flatMap((block, index) => {
    const media = mediaOf(block)
    if (!media || !rules.some((rule) => fits(media, rule))) return []
    const isPointed = deliveries.some((each) => each.form === 'reference' && each.block === index)
    return isPointed ? [] : [{ content, index, media }]
  })
}

function fits({ mediaType, data }: Media, { type, maxLength }: MediaRule): boolean {
  return data !== '' && data.length <= maxLength && matchesRule(type, mediaType)
}
