import { type ContentBlock, type Delivery, type ResourceIdentity } from '@toolblocks/protocol'
import type { ModelMessage } from '../conversation/model-request.ts'
import { placeOf } from '../deliver/delivery-ledger.ts'
import {
  hasMedia,
  type Place,
  hasWords,
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
 * are not believed where the blocks say otherwise: for the person alone, or bytes that this model does not take. Without a profile, no media count.
 */
export function findStanding(
  messages: readonly ModelMessage[],
  profile: ModelProfile | undefined,
): Standing {
  const hasDeliveries = messages.some((message) => contentsOf(message, profile).length > 0)
  if (!hasDeliveries) return { deliveries: [], broken: new Map() }
  if (!profile) return standingIn(messages, undefined, new Map())
  return standingIn(messages, narrowProfile(profile, messages), findCrowded(messages, profile))
}

/** The same, where it is known what has no room. */
export function standingIn(
  messages: readonly ModelMessage[],
  profile: ModelProfile | undefined,
  crowded: Crowded,
): Standing {
  const standing: Delivery[] = []
  /** By place, and by what they are, with how they are given. */
  const given = new Set<string>()
  const broken = new Map<readonly ContentBlock[], Set<number>>()
  for (const { content, deliveries, resources, takes, place } of messages.flatMap((message) =>
    contentsOf(message, profile),
  ))
    for (const delivery of deliveries) {
      const { block: index, form } = delivery
      const block = content[index]
      const left = crowded.get(content)?.has(index) === true
      const as = block && wayOf(block, takes, place)
      const how = block && as && howGiven(block, as)
      switch (form) {
        case 'full':
          if (!as || how === undefined || (hasMedia(as) && left)) break
          standing.push(asGiven(delivery, as, resources[index]))
          given.add(`${placeOf(delivery)} ${how}`)
          given.add(`${delivery.sha256} ${delivery.uri} ${how}`)
          break
        case 'reference':
          if (how === undefined || left || !given.has(`${placeOf(delivery)} ${how}`))
            broken.set(content, (broken.get(content) ?? new Set()).add(index))
          break
        case 'cut':
          break
      }
    }
  return { deliveries: standing, broken }
}

/** Blocks of which it is known how they were given. */
interface Content {
  content: readonly ContentBlock[]
  deliveries: readonly Delivery[]
  resources: readonly (ResourceIdentity | null)[]
  takes: TakesMedia | undefined
  place: Place
}

function contentsOf(message: ModelMessage, profile: ModelProfile | undefined): readonly Content[] {
  switch (message.role) {
    case 'user': {
      const { content, deliveries = [] } = message
      if (deliveries.length === 0) return []
      return [
        { content, deliveries, resources: [], takes: takenInMessage(profile), place: 'message' },
      ]
    }
    case 'tool':
      return message.results.flatMap(({ result, deliveries = [] }) => {
        if (deliveries.length === 0) return []
        const { content, metadata, isError } = result
        const { resources = [] } = metadata ?? {}
        return [
          {
            content,
            deliveries,
            resources,
            takes: takenInResult(profile, isError),
            place: 'result',
          },
        ]
      })
    case 'assistant':
      return []
  }
}

/** How a block is given, with all that is not of its bytes: of two blocks of the same bytes it is the same where one may stand for the other. */
function howGiven(block: ContentBlock, as: Way): string {
  return block.type === 'resource' && hasWords(as) ? `${as} ${block.formatted}` : as
}

/** Older records do not say how it was given, and what was recorded for another model is not how it is given to this one. */
function asGiven(
  { callId, block, uri, sha256, turn, form, ...recorded }: Delivery,
  as: Way,
  identity: ResourceIdentity | null | undefined,
): Delivery {
  const formatted = hasWords(as) ? (recorded.formatted ?? identity?.formatted) : undefined
  const place = { callId, block, uri, sha256, turn, form }
  return { ...place, as, ...(formatted !== undefined && { formatted }) }
}
