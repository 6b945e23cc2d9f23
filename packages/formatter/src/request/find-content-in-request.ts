import { requireArguments } from '@toolblocks/protocol/internal'
import type { ContentBlock, Delivery, ResourceIdentity } from '@toolblocks/protocol'
import {
  type Destination,
  type TakesMedia,
  type Way,
  hasMedia,
  hasWords,
  getPlace,
  takenInMessage,
  takenInResult,
  getWay,
} from '../deliver/delivery-ledger.ts'
import { matchesRule } from '../media/check-media.ts'
import { type Media, findMedia } from '../media/find-media.ts'
import type { MediaRule, ModelProfile } from '../model/model-profile.ts'
import type { ModelMessage, UserMessage } from '../model/model-request.ts'

/** The deliveries of a conversation that hold for one request. */
export interface ContentInRequest {
  /** Content that is in the request in full, and how: a later result may refer to it. */
  deliveries: readonly Delivery[]
  /** Indexes of blocks whose reference has no target in the request, by their content. */
  broken: Crowded
}

/**
 * Finds the content that a request gives a model in full, for this profile: text, and media that have a place and are within the limits. A record
 * is ignored if the blocks contradict it: content for the person alone, or bytes that this model does not accept. Without a profile, media do not
 * count.
 */
export function findContentInRequest(
  messages: readonly ModelMessage[],
  profile: ModelProfile | undefined,
): ContentInRequest {
  requireArguments('findContentInRequest(messages, …)', [messages, 'array'])
  const hasDeliveries = messages.some((message) => getContents(message, profile).length > 0)
  if (!hasDeliveries) return { deliveries: [], broken: new Map() }
  if (!profile) return addPlaceholders(messages, undefined, new Map())
  return addPlaceholders(messages, narrowProfile(profile, messages), findCrowded(messages, profile))
}

/** The same, with known omitted media. */
export function addPlaceholders(
  messages: readonly ModelMessage[],
  profile: ModelProfile | undefined,
  crowded: Crowded,
): ContentInRequest {
  const standing: Delivery[] = []
  /** By place and by identity, with how they are given. */
  const delivered = new Set<string>()
  const broken = new Map<readonly ContentBlock[], Set<number>>()
  for (const { content, deliveries, resources, takes, destination } of messages.flatMap((message) =>
    getContents(message, profile),
  ))
    for (const delivery of deliveries) {
      const { block: index, form } = delivery
      const block = content[index]
      const left = crowded.get(content)?.has(index) === true
      const as = block && getWay(block, takes, destination)
      const how = block && as && identifyForm(block, as)
      switch (form) {
        case 'full':
          if (!as || how === undefined || (hasMedia(as) && left)) break
          standing.push(toDelivered(delivery, as, resources[index]))
          delivered.add(`${getPlace(delivery)} ${how}`)
          delivered.add(`${delivery.sha256} ${delivery.uri} ${how}`)
          break
        case 'reference':
          if (how === undefined || left || !delivered.has(`${getPlace(delivery)} ${how}`))
            broken.set(content, (broken.get(content) ?? new Set()).add(index))
          break
        case 'cut':
          break
      }
    }
  return { deliveries: standing, broken }
}

/** Blocks whose delivery is known. */
interface Content {
  content: readonly ContentBlock[]
  deliveries: readonly Delivery[]
  resources: readonly (ResourceIdentity | null)[]
  takes: TakesMedia | undefined
  destination: Destination
}

function getContents(message: ModelMessage, profile: ModelProfile | undefined): readonly Content[] {
  switch (message.role) {
    case 'user': {
      const { content, deliveries = [] } = message
      if (deliveries.length === 0) return []
      return [
        {
          content,
          deliveries,
          resources: [],
          takes: takenInMessage(profile),
          destination: 'message',
        },
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
            destination: 'result',
          },
        ]
      })
    case 'assistant':
      return []
  }
}

/** Returns how a block is given, with everything except its bytes. Two blocks with the same bytes and the same value can replace each other. */
function identifyForm(block: ContentBlock, as: Way): string {
  return block.type === 'resource' && hasWords(as) ? `${as} ${block.formatted}` : as
}

/** Older records do not say how content was given, and a record for another model does not hold for this one. */
function toDelivered(
  { callId, block, uri, sha256, turn, form, ...recorded }: Delivery,
  as: Way,
  identity: ResourceIdentity | null | undefined,
): Delivery {
  const formatted = hasWords(as) ? (recorded.formatted ?? identity?.formatted) : undefined
  const delivery = { callId, block, uri, sha256, turn, form }
  return { ...delivery, as, ...(formatted !== undefined && { formatted }) }
}

/** Media over the limit of a request: indexes of blocks, by their content. */
export type Crowded = ReadonlyMap<readonly ContentBlock[], ReadonlySet<number>>

const NONE: Crowded = new Map()

/**
 * Finds the media to omit so that a request is within its limit. The latest content is kept longest. The target of a later reference counts as
 * content of that later place.
 */
export function findCrowded(messages: readonly ModelMessage[], profile: ModelProfile): Crowded {
  requireArguments('findCrowded(messages, profile)', [messages, 'array'], [profile, 'object'])
  const { inRequest } = profile
  if (!inRequest) return NONE
  const { maxItems = Infinity, maxLength = Infinity } = inRequest
  const full = new Map<string, Occurrence>()
  const all = messages.flatMap((message) => mediaIn(message, { profile, full }))
  const crowded = new Map<readonly ContentBlock[], Set<number>>()
  const kept = new Set<Occurrence>()
  let [items, length] = [0, 0]
  for (const occurrence of all.toReversed()) {
    const media = occurrence.pointsTo ?? occurrence
    if (kept.has(media)) continue
    items += 1
    length += media.media.data.length
    if (items <= maxItems && length <= maxLength) kept.add(media)
    else {
      const { content, index } = occurrence
      crowded.set(content, (crowded.get(content) ?? new Set()).add(index))
    }
  }
  return crowded
}

interface Occurrence {
  content: readonly ContentBlock[]
  index: number
  media: Media
  /** The target, if the block is a reference. */
  pointsTo?: Occurrence
}

/** The context for reading the media of a message. `full`: earlier media that may be a target. */
interface RequestReading {
  profile: ModelProfile
  full: Map<string, Occurrence>
}

/** Returns the media that a provider would accept if they were the only ones. */
function mediaIn(message: ModelMessage, reading: RequestReading): readonly Occurrence[] {
  const { profile } = reading
  switch (message.role) {
    case 'user':
      return getTakenMedia(message, profile.inMessages, reading)
    case 'tool': {
      const rules = [...profile.inResults, ...profile.afterResults]
      return message.results.flatMap(({ result: { content }, deliveries }) =>
        getTakenMedia({ content, ...(deliveries && { deliveries }) }, rules, reading),
      )
    }
    case 'assistant':
      return []
  }
}

function getTakenMedia(
  { content, deliveries = [] }: Pick<UserMessage, 'content' | 'deliveries'>,
  rules: readonly MediaRule[],
  { full }: RequestReading,
): readonly Occurrence[] {
  const known =
    deliveries.length === 0 ? undefined : new Map(deliveries.map((each) => [each.block, each]))
  return content.flatMap((block, index) => {
    const media = findMedia(block)
    if (!media || !rules.some((rule) => fitsRule(media, rule))) return []
    const delivery = known?.get(index)
    if (!delivery) return [{ content, index, media }]
    const { form, uri, sha256 } = delivery
    // Without its target, the reference becomes the content itself.
    const pointsTo = form === 'reference' ? full.get(getPlace(delivery)) : undefined
    const occurrence: Occurrence = { content, index, media, ...(pointsTo && { pointsTo }) }
    if (form === 'full')
      full.set(getPlace(delivery), occurrence).set(`${sha256} ${uri}`, occurrence)
    return [occurrence]
  })
}

function fitsRule({ mediaType, data }: Media, { type, maxLength }: MediaRule): boolean {
  return data !== '' && data.length <= maxLength && matchesRule(type, mediaType)
}

/** Returns the profile for one request. With many images, each may only be smaller. */
export function narrowProfile(
  profile: ModelProfile,
  messages: readonly ModelMessage[],
): ModelProfile {
  const { manyImages } = profile
  if (!manyImages) return profile
  const blocks = messages.flatMap((message): readonly ContentBlock[] =>
    message.role === 'tool'
      ? message.results.flatMap(({ result }) => result.content)
      : message.role === 'user'
        ? message.content
        : [],
  )
  const images = blocks.filter((block) => findMedia(block)?.mediaType.startsWith('image/'))
  return images.length > manyImages.images
    ? { ...profile, maxImageSide: manyImages.maxImageSide }
    : profile
}
