import { requireFormatOptions } from '../text/format-block.ts'
import { requireArguments } from '@toolblocks/protocol/internal'
import type { ContentBlock, Delivery, ModelText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { type FormatOptions, formatBlock, nameBlock } from '../text/format-block.ts'
import { formatResult } from '../text/format-result.ts'
import { oneLine, toModelText } from '../text/model-text.ts'
import { CROWDED, placeMedia } from './check-media.ts'
import { isPerceptible, type Media, findMedia } from './find-media.ts'
import type { ModelProfile } from '../model/model-profile.ts'

/** Options for converting a result into parts. */
export interface ModelPartsOptions extends FormatOptions {
  /** The text from the delivery. Default: the result is formatted. */
  text?: ModelText
  /** The deliveries of the same result. Media that became a reference are not given again. */
  deliveries?: readonly Delivery[]
  /** Indexes of blocks whose media exceed the limit of the request. Default: none. */
  crowded?: ReadonlySet<number>
  /** The call with the model's name and id, for media that follow all results. */
  call?: Pick<ToolCall, 'id' | 'name'>
}

/** Media for a model, with the line that names their block. */
export interface MediaPart extends Media {
  label: ModelText
  /** Index of the block in its result. */
  index: number
}

/** A part of a result: text, or media at their place. */
type ModelPart = { type: 'text'; text: ModelText } | { type: 'media'; media: MediaPart }

/** The parts of a result for a provider. */
export interface ModelParts {
  /** The text of the complete result. Never empty; it says so if the call failed. */
  text: ModelText
  /** The same text, with the media in the result at their places: after the line that names their block. No text is empty. */
  parts: readonly ModelPart[]
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
  requireArguments(
    'toModelParts(result, profile, …)',
    [result, { content: 'array' }],
    [profile, 'object'],
  )
  requireFormatOptions('toModelParts(result, profile, options)', 'options', options)
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
  return { text, parts: interleave(text, media), afterResults: behind, isError: result.isError }
}

interface Placed {
  /** Media in the result, in the order of the blocks, with the line that stands for them in the text. */
  media: { part: MediaPart; line: string }[]
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
    const label = toModelText(`[${nameBlock(index)}:]`)
    const { text: line } = formatBlock(block, {}, index)
    placed.media.push({ part: { ...found.media, label, index }, line })
    return
  }
  const { id = '', name } = call ?? { id: result.id }
  const tool = name === undefined ? '' : ` of ${oneLine(name)}`
  const label = `[${nameBlock(index)} of the result${tool}, call ${oneLine(JSON.stringify(id))}:]`
  placed.behind.push({ ...found.media, label: toModelText(label), index })
  placed.words.push(`[The tool's ${block.type} in ${nameType(given)} follows all results.]`)
}

/** Between the parts of a text. */
const GAP = '\n\n'

/** Puts media after their lines. Those whose line is not in the text, for example because `formatted` takes its place, follow the text after their label. */
function interleave(text: string, media: Placed['media']): readonly ModelPart[] {
  const parts: ModelPart[] = []
  const rest: ModelPart[] = []
  let at = 0
  for (const { part, line } of media) {
    const end = findEnd(text, line, at)
    if (end === undefined) {
      rest.push({ type: 'text', text: part.label }, { type: 'media', media: part })
      continue
    }
    parts.push(...toTextParts(text.slice(at, end)), { type: 'media', media: part })
    at = end
  }
  return [...parts, ...toTextParts(text.slice(at)), ...rest]
}

/** Most providers refuse a text without characters. */
function toTextParts(text: string): readonly ModelPart[] {
  const words = text.startsWith(GAP) ? text.slice(GAP.length) : text
  return words.trim() === '' ? [] : [{ type: 'text', text: toModelText(words) }]
}

/** Returns the end of a line that is a paragraph of its own, from some place on. */
function findEnd(text: string, line: string, from: number): number | undefined {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const end = at + line.length
    const begins = at === 0 || text.startsWith(GAP, at - GAP.length)
    if (begins && (end === text.length || text.startsWith(GAP, end))) return end
  }
  return undefined
}

function omitMedia(given: Given, reason: string, { words }: Placed): void {
  if (isPerceptible(given.media))
    words.push(`[The tool's ${given.block.type} in ${nameType(given)} was omitted: ${reason}.]`)
}

/** `block 2 (image/png)`. */
function nameType({ media, index }: Given): string {
  return `${nameBlock(index)} (${oneLine(media.mediaType)})`
}

/** The host's notes are the first paragraph; only the host writes it. Most providers treat white space as empty. */
function withWords(text: ModelText, given: readonly string[]): ModelText {
  const isBlank = text.trim() === ''
  const words = isBlank ? [...given, '[The tool returned no output.]'] : given
  if (words.length === 0) return text
  if (isBlank) return toModelText(words.join('\n'))
  return toModelText(`${words.join('\n')}${text.startsWith('[The tool') ? '\n' : '\n\n'}${text}`)
}
