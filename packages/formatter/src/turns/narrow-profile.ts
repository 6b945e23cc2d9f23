import type { ContentBlock } from '@toolblocks/protocol'
import type { ModelMessage } from '../conversation/model-request.ts'
import { mediaOf } from '../model-parts/media-of.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'

/** What a provider takes of one request: where it has many images, they may be less large. */
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
  const images = blocks.filter((block) => mediaOf(block)?.mediaType.startsWith('image/'))
  return images.length > manyImages.images
    ? { ...profile, maxImageSide: manyImages.maxImageSide }
    : profile
}
