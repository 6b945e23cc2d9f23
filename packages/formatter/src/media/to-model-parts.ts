import type { ContentBlock, Delivery, ModelText, ToolCall, ToolResult } from '@toolblocks/protocol'
import type { FormatOptions } from '../text/format-block.ts'
import { formatResult } from '../text/format-result.ts'
import { oneLine, toModelText } from '../text/model-text.ts'
import { CROWDED, placeMedia } from './check-media.ts'
import { isPerceptible, type Media, findMedia } from './find-media.ts'
import type { ModelProfile } from '../model/model-profile.ts'

/** Options for converting a result into parts. */
export interface ModelPartsOptions extends FormatOptions {
  /** The text from the delivery. Default: the complete result is formatted. */
  text?: ModelText
  /** The deliveries of the same result. Media that became a reference are not given again. */
  deliveries?: readonly Delivery[]
  /** Indexes of blocks whose media exceed the limit of the request. Default: none. */
  crowded?: ReadonlySet<number>
  /** The call with the model's name and id, for media that follow all results. */
  call?: Pick<ToolCall, 'id' | 'name'>
}

/** Media for a model, with the line that describes them. */
export interface MediaPart extends Media {
  label: ModelText
}

/** The parts of a result for a provider. */
export interface ModelParts {
  /** The text of the complete result. Never empty; it says so if the call failed. */
  text: ModelText
  /** Media in the result, in the order of the blocks. */
  media: readonly MediaPart[]
  /** Media after all results of the turn. */
  afterResults: readonly MediaPart[]
  /** Whether the call failed. */
  isError: boolean
}

/**
 * Converts a result into the best form that a provider accepts. Media are in the result, else after all results with a reference, else one line
 * says what was omitted and why. Base64 is never text.
 */
export function toModelParts(
  result: ToolResult,
  profile: ModelProfile,
  options: ModelPartsOptions = {},
): ModelParts {
  const { deliveries, crowded } = options
  const placed: Placed = { media: [], behind: [], words: [] }
  for (const [index, block] of result.content.entries()) {
    const media = findMedia(block)
    if (
      !media ||
      (deliveries && deliveries.some(({ form, block: at }) => form === 'reference' && at === index))
    )
      continue
    const given = { media, block, index }
    if (crowded?.has(index)) omitMedia(given, CROWDED, placed)
    else placeMediaPart(given, { profile, result, call: options.call }, placed)
  }
  const { media, behind, words } = placed
  const text = withWords(options.text ?? formatResult(result, options), words)
  return { text, media, afterResults: behind, isError: result.isError }
}

interface Placed {
  media: MediaPart[]
  behind: MediaPart[]
  /** Notes for the model beside the lines of the blocks. */
  words: string[]
}

interface Given {
  media: Media
  block: ContentBlock
  index: number
}

interface Target {
  profile: ModelProfile
  result: ToolResult
  call: ModelPartsOptions['call']
}

function placeMediaPart(given: Given, { profile, result, call }: Target, placed: Placed): void {
  const { media, block, index } = given
  const found = placeMedia(media, block, { profile, isError: result.isError })
  if (found.place === 'nowhere') return omitMedia(given, found.reason, placed)
  if (found.place === 'in-result') {
    const label = toModelText(`[Block ${getName(media, index)}:]`)
    placed.media.push({ ...found.media, label })
    return
  }
  const { id = '', name } = call ?? { id: result.id }
  const tool = name === undefined ? '' : ` of ${oneLine(name)}`
  const what = getName(media, index)
  const label = `[Block ${what} of the result${tool}, call ${oneLine(JSON.stringify(id))}:]`
  placed.behind.push({ ...found.media, label: toModelText(label) })
  placed.words.push(`[The tool's ${block.type} in block ${what} follows all results.]`)
}

function omitMedia({ media, block, index }: Given, reason: string, { words }: Placed): void {
  if (isPerceptible(media))
    words.push(
      `[The tool's ${block.type} in block ${getName(media, index)} was omitted: ${reason}.]`,
    )
}

/** `2 (image/png)`. */
function getName({ mediaType }: Media, index: number): string {
  return `${index + 1} (${oneLine(mediaType)})`
}

/** The host's notes are the first paragraph; only the host writes it. Most providers treat white space as empty. */
function withWords(text: ModelText, given: readonly string[]): ModelText {
  const isBlank = text.trim() === ''
  const words = isBlank ? [...given, '[The tool returned no output.]'] : given
  if (words.length === 0) return text
  if (isBlank) return toModelText(words.join('\n'))
  return toModelText(`${words.join('\n')}${text.startsWith('[The tool') ? '\n' : '\n\n'}${text}`)
}
