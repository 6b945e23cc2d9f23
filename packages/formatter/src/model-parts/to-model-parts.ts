import type { ContentBlock, Delivery, ModelText, ToolCall, ToolResult } from '@toolblocks/protocol'
import type { FormatOptions } from '../format-options.ts'
import { formatResult } from '../format-result.ts'
import { toModelText } from '../model-text.ts'
import { oneLine } from '../one-line.ts'
import { checkMedia, CROWDED } from './check-media.ts'
import { isPerceptible, type Media, mediaOf } from './media-of.ts'
import type { ModelProfile } from './model-profile.ts'

/** How a result becomes parts. */
export interface ModelPartsOptions extends FormatOptions {
  /** What was decided when it was delivered. Default: the result is written whole. */
  text?: ModelText
  /** Of the same decision: media that the model was only pointed to are not given again. */
  deliveries?: readonly Delivery[]
  /** Numbers of blocks whose media the request has no room for. Default: none. */
  crowded?: ReadonlySet<number>
  /** The call, as the model knows it; named beside media that stand behind all results. */
  call?: Pick<ToolCall, 'id' | 'name'>
}

/** Media for a model, and the line that says what they are. */
export interface MediaPart extends Media {
  label: ModelText
}

/** What a provider takes of a result. */
export interface ModelParts {
  /** The words of the whole result; never empty, and they say it if the call failed. */
  text: ModelText
  /** Stand beside the text in the result, in the order of the blocks. */
  media: readonly MediaPart[]
  /** Stand behind all results of the turn. */
  behind: readonly MediaPart[]
  isError: boolean
}

/**
 * Writes a result in the best form that a provider takes: media stand in the result, else behind all results with a pointer, else
 * one line says what was left out and why. Base64 is never text.
 */
export function toModelParts(
  result: ToolResult,
  profile: ModelProfile,
  options: ModelPartsOptions = {},
): ModelParts {
  const { deliveries = [], call, crowded } = options
  const pointed = new Set<number>()
  for (const { form, block } of deliveries) if (form === 'reference') pointed.add(block)
  const placed: Placed[] = []
  for (const [index, block] of result.content.entries()) {
    const media = pointed.has(index) ? undefined : mediaOf(block)
    if (!media) continue
    placed.push(
      crowded?.has(index)
        ? leaveOut(media, block, index, CROWDED)
        : place(media, { block, index, profile, result, call }),
    )
  }
  const words = placed.flatMap(({ word }) => (word === undefined ? [] : [word]))
  return {
    text: withWords(options.text ?? formatResult(result, options), words),
    media: placed.flatMap(({ part, isBehind }) => (part && !isBehind ? [part] : [])),
    behind: placed.flatMap(({ part, isBehind }) => (part && isBehind ? [part] : [])),
    isError: result.isError,
  }
}

interface Placed {
  part?: MediaPart
  isBehind?: boolean
  /** What the model has to know of it beside the line that stands for the block. */
  word?: string
}

interface Place {
  block: ContentBlock
  index: number
  profile: ModelProfile
  result: ToolResult
  call: ModelPartsOptions['call']
}

function place(media: Media, { block, index, profile, result, call }: Place): Placed {
  const what = nameOf(media, index)
  const inside = result.isError && !profile.inFailedResults ? [] : profile.inResults
  const here = checkMedia(media, inside, profile)
  if (here.ok) return { part: { ...here.media, label: toModelText(`[${capital(what)}:]`) } }
  const behind = checkMedia(media, profile.behindResults, profile)
  if (behind.ok) {
    const { id = '', name } = call ?? { id: result.id }
    const tool = name === undefined ? '' : ` of ${oneLine(name)}`
    const label = `[${capital(what)} of the result${tool}, call ${oneLine(JSON.stringify(id))}:]`
    const word = `[The tool's ${block.type} in ${what} stands behind all results.]`
    return { part: { ...behind.media, label: toModelText(label) }, isBehind: true, word }
  }
  return leaveOut(media, block, index, behind.reason)
}

function leaveOut(media: Media, block: ContentBlock, index: number, reason: string): Placed {
  if (!isPerceptible(media)) return {}
  const what = nameOf(media, index)
  return { word: `[The tool's ${block.type} in ${what} was left out: ${reason}.]` }
}

function nameOf({ mediaType }: Media, index: number): string {
  return `block ${index + 1} (${oneLine(mediaType)})`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The host's words are the first paragraph, which only the host begins so. White space alone is nothing to most providers. */
function withWords(text: ModelText, given: readonly string[]): ModelText {
  const isBlank = text.trim() === ''
  const words = isBlank ? [...given, '[The tool answered with nothing.]'] : given
  if (words.length === 0) return text
  if (isBlank) return toModelText(words.join('\n'))
  return toModelText(`${words.join('\n')}${text.startsWith('[The tool') ? '\n' : '\n\n'}${text}`)
}
