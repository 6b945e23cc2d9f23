import { type ContentBlock, type Delivery, type ResourceIdentity } from '@toolblocks/protocol'
import type { ModelMessage } from '../conversation/model-request.ts'
import {
  takenInMessage,
  takenInResult,
  type TakesMedia,
  type Way,
  wayOf,
} from '../deliver/way-of.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'
import { type Crowded, findCrowded } from './find-crowded.ts'
import { narrowProfile } from './narrow-profile.ts'

/** What of the deliveries of a conversation is true of one request. */
export interface Standing {
  /** What stands there in full, with how: what a later result may point to. */
  deliveries: readonly Delivery[]
  /** Numbers of blocks that point to what does not stand there, by the content that they stand in. */
  broken: Crowded
}

/**
 * Finds what the model is given in full by a request, as this profile takes it: text, and media that have a place and room. Records of what was given
 * are not believed where the blocks say otherwise: for the person alone, or bytes that this model does not take.
 */
export function findStanding(messages: readonly ModelMessage[], profile: ModelProfile): Standing {
  const hasDeliveries = messages.some((message) => contentsOf(message, profile).length > 0)
  if (!hasDeliveries) return { deliveries: [], broken: new Map() }
  return standingIn(messages, narrowProfile(profile, messages), findCrowded(messages, profile))
}

/** The same, where it is known what has no room. */
export function standingIn(
  messages: readonly ModelMessage[],
  profile: ModelProfile,
  crowded: Crowded,
): Standing {
  const standing = new Map<string, Delivery>()
  const broken = new Map<readonly ContentBlock[], Set<number>>()
  for (const given of messages.flatMap((message) => contentsOf(message, profile)))
    for (const delivery of given.deliveries) {
      const { block: index, form } = delivery
      const block = given.content[index]
      const left = crowded.get(given.content)?.has(index) === true
      const as = block && wayOf(block, given.takes)
      const key = block && as && keyIn(delivery, block, as)
      switch (form) {
        case 'full':
          if (as && key !== undefined && !(as === 'media' && left))
            standing.set(key, asGiven(delivery, as, given.resources[index]))
          break
        case 'reference':
          if (key === undefined || left || !standing.has(key))
            broken.set(given.content, (broken.get(given.content) ?? new Set()).add(index))
          break
        case 'cut':
          break
      }
    }
  return { deliveries: [...standing.values()], broken }
}

/** Blocks of which it is known how they were given. */
interface Content {
  content: readonly ContentBlock[]
  deliveries: readonly Delivery[]
  resources: readonly (ResourceIdentity | null)[]
  takes: TakesMedia | undefined
}

function contentsOf(message: ModelMessage, profile: ModelProfile): readonly Content[] {
  switch (message.role) {
    case 'user': {
      const { content, deliveries = [] } = message
      if (deliveries.length === 0) return []
      return [{ content, deliveries, resources: [], takes: takenInMessage(profile) }]
    }
    case 'tool':
      return message.results.flatMap(({ result, deliveries = [] }) => {
        if (deliveries.length === 0) return []
        const { content, metadata, isError } = result
        const { resources = [] } = metadata ?? {}
        return [{ content, deliveries, resources, takes: takenInResult(profile, isError) }]
      })
    case 'assistant':
      return []
  }
}

/** What two blocks share of which one may stand for the other. */
function keyIn({ uri, sha256 }: Delivery, block: ContentBlock, as: Way): string {
  const formatted = block.type === 'resource' && as === 'formatted' ? block.formatted : undefined
  return `${as} ${sha256} ${JSON.stringify([uri, formatted])}`
}

/** Older records do not say how it was given, and what was recorded for another model is not how it is given to this one. */
function asGiven(
  { callId, block, uri, sha256, turn, form, ...recorded }: Delivery,
  as: Way,
  identity: ResourceIdentity | null | undefined,
): Delivery {
  const formatted = as === 'formatted' ? (recorded.formatted ?? identity?.formatted) : undefined
  const place = { callId, block, uri, sha256, turn, form }
  return { ...place, as, ...(formatted !== undefined && { formatted }) }
}
