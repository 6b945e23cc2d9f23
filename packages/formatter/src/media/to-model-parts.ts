import { requireFormatOptions } from '../text/format-block.ts'
import { formatNote, quoteInNote, requireArguments } from '@toolblocks/protocol/internal'
import type { ContentBlock, Delivery, ModelText, ToolCall, ToolResult } from '@toolblocks/protocol'
import { type FormatOptions, formatBlock, nameBlock } from '../text/format-block.ts'
import { formatResult } from '../text/format-result.ts'
import { oneLine, toModelText } from '../text/model-text.ts'
import { CROWDED, placeMedia } from './check-media.ts'
import {
  findFittedPicture,
  findMedia,
  isPerceptible,
  type Media,
  nameOriginal,
  ONLY_SO,
} from './find-media.ts'
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
  const mediaParts: MediaParts = { media: [], behind: [], notes: [] }
  for (const [index, block] of result.content.entries()) {
    const media = findMedia(block)
    if (
      !media ||
      (deliveries &&
        deliveries.some(
          ({ form, block: blockIndex }) => form === 'reference' && blockIndex === index,
        ))
    )
      continue
    const mediaBlock = { media, block, index }
    if (crowded?.has(index)) omitMedia(mediaBlock, CROWDED, mediaParts)
    else placeMediaPart(mediaBlock, { profile, result, call: options.call }, mediaParts)
  }
  const { media, behind, notes } = mediaParts
  const text = withWords(options.text ?? formatResult(result, options), notes)
  return { text, parts: interleave(text, media), afterResults: behind, isError: result.isError }
}

interface MediaParts {
  /** Media in the result, in the order of the blocks, with the line that stands for them in the text. */
  media: { part: MediaPart; line: string }[]
  behind: MediaPart[]
  /** Notes for the model beside the lines of the blocks. */
  notes: string[]
}

interface MediaBlock {
  media: Media
  block: ContentBlock
  index: number
}

interface PartTarget {
  profile: ModelProfile
  result: ToolResult
  call: ModelPartsOptions['call']
}

function placeMediaPart(
  mediaBlock: MediaBlock,
  { profile, result, call }: PartTarget,
  mediaParts: MediaParts,
): void {
  const { media, block, index } = mediaBlock
  const placement = placeMedia(media, block, { profile, isError: result.isError })
  if (placement.position === 'nowhere') return omitMedia(mediaBlock, placement.reason, mediaParts)
  if (placement.position === 'in-result') {
    const label = toModelText(`[${nameBlock(index)}:]`)
    const { text: line } = formatBlock(block, {}, index)
    mediaParts.media.push({ part: { ...placement.media, label, index }, line })
    noteFitted(mediaBlock, result, mediaParts)
    return
  }
  const { id = '', name } = call ?? { id: result.id }
  const tool = name === undefined ? '' : ` of ${oneLine(name)}`
  const label = formatNote(
    `${nameBlock(index)} of the result${tool}, call ${oneLine(quoteInNote(id))}:`,
  )
  mediaParts.behind.push({ ...placement.media, label: toModelText(label), index })
  mediaParts.notes.push(
    formatNote(`The tool's ${block.type} in ${nameType(mediaBlock)} follows all results.`),
  )
  noteFitted(mediaBlock, result, mediaParts)
}

/** Says how a picture differs from that of the tool, and where the original is. */
function noteFitted({ block, index }: MediaBlock, result: ToolResult, { notes }: MediaParts): void {
  const fitted = findFittedPicture(block)
  if (!fitted?.media) return
  const what = `The tool's ${block.type} in ${nameBlock(index)} was ${fitted.note}`
  notes.push(formatNote(`${what}. ${ONLY_SO}${nameOriginal(result, index)}`))
}

/** Between the parts of a text. */
const GAP = '\n\n'

/** Puts media after their lines. Those whose line is not in the text, for example because `formatted` takes its place, follow the text after their label. */
function interleave(text: string, media: MediaParts['media']): readonly ModelPart[] {
  const parts: ModelPart[] = []
  const rest: ModelPart[] = []
  let offset = 0
  for (const { part, line } of media) {
    const end = findEnd(text, line, offset)
    if (end === undefined) {
      rest.push({ type: 'text', text: part.label }, { type: 'media', media: part })
      continue
    }
    parts.push(...toTextParts(text.slice(offset, end)), { type: 'media', media: part })
    offset = end
  }
  return [...parts, ...toTextParts(text.slice(offset)), ...rest]
}

/** Most providers refuse a text without characters. */
function toTextParts(text: string): readonly ModelPart[] {
  const content = text.startsWith(GAP) ? text.slice(GAP.length) : text
  return content.trim() === '' ? [] : [{ type: 'text', text: toModelText(content) }]
}

/** Returns the end of a line that is a paragraph of its own, from some place on. */
function findEnd(text: string, line: string, from: number): number | undefined {
  for (let start = text.indexOf(line, from); start !== -1; start = text.indexOf(line, start + 1)) {
    const end = start + line.length
    const begins = start === 0 || text.startsWith(GAP, start - GAP.length)
    if (begins && (end === text.length || text.startsWith(GAP, end))) return end
  }
  return undefined
}

function omitMedia(mediaBlock: MediaBlock, reason: string, { notes }: MediaParts): void {
  const { media, block } = mediaBlock
  if (!isPerceptible(media)) return
  const more = explainUnscaled(block)
  const what = `The tool's ${block.type} in ${nameType(mediaBlock)}`
  notes.push(formatNote(`${what} was omitted: ${reason}${more}.`))
}

/** Why a picture over a limit was not scaled, for the note that it was omitted. */
export function explainUnscaled(block: ContentBlock): string {
  const fitted = findFittedPicture(block)
  return fitted && !fitted.media ? `; ${fitted.note}` : ''
}

/** `block 2 (image/png)`. */
function nameType({ media, index }: MediaBlock): string {
  return `${nameBlock(index)} (${oneLine(media.mediaType)})`
}

/** The host's notes are the first paragraph; only the host writes it. Most providers treat white space as empty. */
function withWords(text: ModelText, notes: readonly string[]): ModelText {
  const isBlank = text.trim() === ''
  const lines = isBlank ? [...notes, '[The tool returned no output.]'] : notes
  if (lines.length === 0) return text
  if (isBlank) return toModelText(lines.join('\n'))
  return toModelText(`${lines.join('\n')}${text.startsWith('[The tool') ? '\n' : '\n\n'}${text}`)
}
