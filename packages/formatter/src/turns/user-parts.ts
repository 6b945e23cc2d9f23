import type { ContentBlock, ModelText } from '@toolblocks/protocol'
import { formatBlocks } from '../format-blocks.ts'
import { checkMedia, CROWDED } from '../model-parts/check-media.ts'
import { isPerceptible, mediaOf, type Media } from '../model-parts/media-of.ts'
import { toModelText } from '../model-text.ts'
import { oneLine } from '../one-line.ts'
import type { ReadRequest } from './read-request.ts'

/** What of a person's message stands in a provider's: words, or media. */
export type UserPart = { type: 'text'; text: ModelText } | { type: 'media'; media: Media }

const LEFT = { ok: false, reason: CROWDED } as const

/** Writes what a person says, with what is attached, in its order. Nothing of it is empty. */
export function toUserParts(
  blocks: readonly ContentBlock[],
  { profile, options, crowded }: Pick<ReadRequest, 'profile' | 'options' | 'crowded'>,
): readonly UserPart[] {
  const parts: UserPart[] = []
  let words: ContentBlock[] = []
  const say = () => {
    const text = formatBlocks(words, options)
    if (text.trim() !== '') parts.push({ type: 'text', text })
    words = []
  }
  const left = crowded.get(blocks)
  for (const [index, block] of blocks.entries()) {
    const media = mediaOf(block)
    const checked =
      media && (left?.has(index) ? LEFT : checkMedia(media, block, profile.inMessages, profile))
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
