import type { ContentBlock, ModelText } from '@toolblocks/protocol'
import type { FormatOptions } from '../format-options.ts'
import { formatBlocks } from '../format-blocks.ts'
import { checkMedia } from '../model-parts/check-media.ts'
import { isPerceptible, mediaOf, type Media } from '../model-parts/media-of.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'
import { toModelText } from '../model-text.ts'
import { oneLine } from '../one-line.ts'

/** What of a person's message stands in a provider's: words, or media. */
export type UserPart = { type: 'text'; text: ModelText } | { type: 'media'; media: Media }

/** Writes what a person says, with what is attached, in its order. Nothing of it is empty. */
export function toUserParts(
  blocks: readonly ContentBlock[],
  profile: ModelProfile,
  options: FormatOptions,
): readonly UserPart[] {
  const parts: UserPart[] = []
  let words: ContentBlock[] = []
  const say = () => {
    const text = formatBlocks(words, options)
    if (text.trim() !== '') parts.push({ type: 'text', text })
    words = []
  }
  for (const block of blocks) {
    const media = mediaOf(block)
    const checked = media && checkMedia(media, profile.inMessages, profile)
    if (checked?.ok) {
      say()
      parts.push({ type: 'media', media: checked.media })
      continue
    }
    words.push(block)
    if (media && checked && isPerceptible(media)) {
      say()
      const text = `[The ${oneLine(media.mediaType)} above was left out: ${checked.reason}.]`
      parts.push({ type: 'text', text: toModelText(text) })
    }
  }
  say()
  return parts
}
