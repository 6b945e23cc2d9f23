import type { ContentBlock } from '@toolblocks/protocol'
import type { ModelMessage, UserMessage } from '../conversation/model-request.ts'
import { placeOf } from '../deliver/delivery-ledger.ts'
import { matchesRule } from '../model-parts/check-media.ts'
import { type Media, mediaOf } from '../model-parts/media-of.ts'
import type { MediaRule, ModelProfile } from '../model-parts/model-profile.ts'

/** Media that a request has no room for: numbers of blocks, by the content that they stand in. */
export type Crowded = ReadonlyMap<readonly ContentBlock[], ReadonlySet<number>>

const NONE: Crowded = new Map()

/**
 * Finds what is left out so that a request keeps to its limit; what was said last is kept longest. What a later result points to counts as said there:
 * it is kept as long as the line that points to it.
 */
export function findCrowded(messages: readonly ModelMessage[], profile: ModelProfile): Crowded {
  const { inRequest } = profile
  if (!inRequest) return NONE
  const { maxItems = Infinity, maxLength = Infinity } = inRequest
  const full = new Map<string, Placed>()
  const all = messages.flatMap((message) => mediaIn(message, { profile, full }))
  const crowded = new Map<readonly ContentBlock[], Set<number>>()
  const kept = new Set<Placed>()
  let [items, length] = [0, 0]
  for (const placed of all.toReversed()) {
    const media = placed.pointsTo ?? placed
    if (kept.has(media)) continue
    items += 1
    length += media.media.data.length
    if (items <= maxItems && length <= maxLength) kept.add(media)
    else {
      const { content, index } = placed
      crowded.set(content, (crowded.get(content) ?? new Set()).add(index))
    }
  }
  return crowded
}

interface Placed {
  content: readonly ContentBlock[]
  index: number
  media: Media
  /** Instead of standing here. */
  pointsTo?: Placed
}

/** What the media of a message are looked at with; `full`: those before it that may be pointed to. */
interface Reading {
  profile: ModelProfile
  full: Map<string, Placed>
}

/** Media that a provider would take, were they the only ones. */
function mediaIn(message: ModelMessage, reading: Reading): readonly Placed[] {
  const { profile } = reading
  switch (message.role) {
    case 'user':
      return taken(message, profile.inMessages, reading)
    case 'tool': {
      const rules = [...profile.inResults, ...profile.behindResults]
      return message.results.flatMap(({ result: { content }, deliveries }) =>
        taken({ content, ...(deliveries && { deliveries }) }, rules, reading),
      )
    }
    case 'assistant':
      return []
  }
}

function taken(
  { content, deliveries = [] }: Pick<UserMessage, 'content' | 'deliveries'>,
  rules: readonly MediaRule[],
  { full }: Reading,
): readonly Placed[] {
  const known =
    deliveries.length === 0 ? undefined : new Map(deliveries.map((each) => [each.block, each]))
  return content.flatMap((block, index) => {
    const media = mediaOf(block)
    if (!media || !rules.some((rule) => fits(media, rule))) return []
    const delivery = known?.get(index)
    if (!delivery) return [{ content, index, media }]
    const { form, uri, sha256 } = delivery
    // Without what it points to it is given itself.
    const pointsTo = form === 'reference' ? full.get(placeOf(delivery)) : undefined
    const placed: Placed = { content, index, media, ...(pointsTo && { pointsTo }) }
    if (form === 'full') full.set(placeOf(delivery), placed).set(`${sha256} ${uri}`, placed)
    return [placed]
  })
}

function fits({ mediaType, data }: Media, { type, maxLength }: MediaRule): boolean {
  return data !== '' && data.length <= maxLength && matchesRule(type, mediaType)
}
