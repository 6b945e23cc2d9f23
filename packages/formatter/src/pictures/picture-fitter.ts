import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import {
  decodeBase64,
  formatByteSize,
  formatNote,
  getBase64ByteLength,
  requireArguments,
} from '@toolblocks/protocol/internal'
import { type ImageFacts, readImage } from '../media/check-media.ts'
import {
  type FittedPicture,
  findFittedPicture,
  findMedia,
  type Media,
  nameOriginal,
  ONLY_SO,
  withFittedPicture,
} from '../media/find-media.ts'
import type { ModelProfile } from '../model/model-profile.ts'
import type { ModelMessage, ModelRequest, ResultForModel } from '../model/model-request.ts'
import { oneLine } from '../text/model-text.ts'
import { getPictureLimits, type PictureLimits, WEB_PICTURES } from './picture-limits.ts'
import { createPictureScaler } from './picture-scaler.ts'
import type { PictureScaler } from './scaled-picture.ts'

/** Options of `createPictureFitter`. */
export interface PictureFitterOptions {
  /** Scales pictures. Default: `createPictureScaler()`. */
  scaler?: PictureScaler
  /** Maximum base64 characters of scaled pictures that are kept for later requests. Default: 64 Mi. */
  maxKept?: number
}

/** A change of a picture. */
export interface PictureChange {
  /** Index of the block in the content that was given. */
  block: number
  /** `scaled`: the picture is another one. `left-out`: a text is in its place. */
  kind: 'scaled' | 'left-out'
  /** What changed, or why it was left out. */
  message: string
}

/** A result whose pictures fit. */
export interface FittedResult {
  result: ToolResult
  /** Empty: the result is the one that was given. */
  changes: readonly PictureChange[]
}

/** Options of `fitResult`. */
export interface FitResultOptions {
  /** The result before texts were added to it. Its blocks are those that notes number. Default: the given result. */
  original?: ToolResult
}

/** Makes pictures fit the limits of models and hosts. */
export interface PictureFitter {
  /**
   * Returns a request in which the pictures of results and messages fit the limits of a model. A note names each picture that differs; the size in the line
   * about its block stays that of the original. A picture that cannot be scaled stays, and the conversion for the provider omits it if it is too large.
   * A picture is the same in each request.
   */
  fitRequest(request: ModelRequest, profile: ModelProfile): Promise<ModelRequest>
  /**
   * Returns a result whose pictures fit, for a client that receives blocks. A text after each picture that was scaled says so. A picture that cannot be
   * scaled is replaced by a text that says why.
   */
  fitResult(
    result: ToolResult,
    limits: PictureLimits,
    options?: FitResultOptions,
  ): Promise<FittedResult>
  /** Ends the scaler. */
  close(): Promise<void>
}

/** Decoded, a picture of this size takes 256 MB. A file of a few kilobytes may contain more. */
const MAX_PIXELS = 64_000_000

const MAX_KEPT = 64 * 2 ** 20

/** Creates a fitter. It reads type and size from the first bytes of each picture, and scales only those that do not fit. */
export function createPictureFitter(options: PictureFitterOptions = {}): PictureFitter {
  requireArguments('createPictureFitter(options)', [options, 'object'])
  const { scaler = createPictureScaler(), maxKept = MAX_KEPT } = options
  /** By the SHA-256 of the original and the limits; the latest used last. */
  const kept = new Map<string, { fitting: Promise<LastingPicture>; length: number }>()
  let keptLength = 0
  /** The copies of blocks, by the limits, so that a picture of a conversation is hashed once. */
  const copies = new WeakMap<ContentBlock, Map<string, { data: string; block: ContentBlock }>>()

  const fitMedia = async (picture: Oversized, limits: PictureLimits): Promise<LastingPicture> => {
    const key = `${await hash(picture.media.data)} ${JSON.stringify(limits)}`
    const known = kept.get(key)
    const entry = known ?? { fitting: scalePicture(picture, limits, scaler), length: 0 }
    kept.delete(key)
    kept.set(key, entry)
    const fitted = await entry.fitting
    if (kept.get(key) !== entry) return fitted
    // What may be installed or loaded later is tried again.
    if (!fitted.media && fitted.isLasting !== true) kept.delete(key)
    else if (entry.length === 0) {
      entry.length = (fitted.media?.data.length ?? 0) + KEY
      keptLength += entry.length
      for (const [oldest, { length }] of kept) {
        if (keptLength <= maxKept) break
        if (length === 0) continue
        kept.delete(oldest)
        keptLength -= length
      }
    }
    return fitted
  }

  const fitBlock = async (block: ContentBlock, limits: PictureLimits): Promise<ContentBlock> => {
    const picture = findOversized(block, limits)
    // One that could not be scaled is not tried again.
    if (!picture?.facts || findFittedPicture(block)) return block
    const key = JSON.stringify(limits)
    const own = copies.get(block) ?? new Map<string, { data: string; block: ContentBlock }>()
    const before = own.get(key)
    if (before?.data === picture.media.data) return before.block
    const fitted = await fitMedia(picture, limits)
    const copy = withFittedPicture(block, withName(fitted, picture.media))
    if (fitted.media || fitted.isLasting)
      copies.set(block, own.set(key, { data: picture.media.data, block: copy }))
    return copy
  }

  // One after another: the pictures of a conversation do not fit into memory at once.
  const fitBlocks = async (
    blocks: readonly ContentBlock[],
    limits: PictureLimits,
  ): Promise<readonly ContentBlock[]> => {
    const fitted: ContentBlock[] = []
    for (const block of blocks) fitted.push(await fitBlock(block, limits))
    return fitted.every((block, index) => block === blocks[index]) ? blocks : fitted
  }

  const fitMessage = async (
    message: ModelMessage,
    limits: PictureLimits,
  ): Promise<ModelMessage> => {
    if (message.role === 'assistant') return message
    if (message.role === 'user')
      return { ...message, content: await fitBlocks(message.content, limits) }
    const results: ResultForModel[] = []
    for (const each of message.results) {
      const content = await fitBlocks(each.result.content, limits)
      const isSame = content === each.result.content
      results.push(isSame ? each : { ...each, result: { ...each.result, content } })
    }
    return { ...message, results }
  }

  return {
    fitRequest: async (request, profile) => {
      requireArguments(
        'fitRequest(request, profile)',
        [request, { messages: 'array' }],
        [profile, 'object'],
      )
      const limits = getPictureLimits(profile)
      if (!limits) return request
      const messages: ModelMessage[] = []
      for (const message of request.messages) messages.push(await fitMessage(message, limits))
      return { ...request, messages }
    },
    fitResult: async (result, limits, { original = result } = {}) => {
      requireArguments(
        'fitResult(result, limits, …)',
        [result, { content: 'array' }],
        [limits, 'object'],
      )
      const changes: PictureChange[] = []
      const content: ContentBlock[] = []
      for (const [index, block] of result.content.entries()) {
        const picture = findOversized(block, limits)
        if (!picture) {
          content.push(block)
          continue
        }
        const { media, note }: FittedPicture =
          picture.facts === undefined
            ? { note: 'it could not be read as an image' }
            : await fitMedia(picture, limits)
        const before = original.content.indexOf(block)
        const how = { result, index: before === -1 ? index : before }
        content.push(
          ...(media
            ? [replacePicture(block, media), toNote(`The image above was ${note}. ${ONLY_SO}`, how)]
            : [
                toNote(
                  `${describePicture(picture)} was left out: ${explainLimits(limits)}, and ${note}.`,
                  how,
                ),
              ]),
        )
        changes.push({ block: index, kind: media ? 'scaled' : 'left-out', message: note })
      }
      return { result: changes.length === 0 ? result : { ...result, content }, changes }
    },
    close: async () => await scaler.close(),
  }
}

/** What an entry takes besides its picture. */
const KEY = 300

/** A picture that does not fit. `facts`: absent if it could not be read. */
interface Oversized {
  media: Media
  facts: ImageFacts | undefined
}

/** Returns the picture of a block, if it does not fit. */
function findOversized(block: ContentBlock, limits: PictureLimits): Oversized | undefined {
  const media = findMedia(block)
  if (!media?.mediaType.startsWith('image/')) return undefined
  const { maxSide = Infinity, maxLength = Infinity, types = WEB_PICTURES } = limits
  const facts = readImage(block, media.data)
  const fits =
    facts !== undefined &&
    types.includes(facts.mediaType) &&
    Math.max(facts.width, facts.height) <= maxSide &&
    media.data.length <= maxLength
  return fits ? undefined : { media, facts }
}

/** Scales a picture whose facts are known. */
async function scalePicture(
  { media, facts }: Oversized,
  limits: PictureLimits,
  scaler: PictureScaler,
): Promise<LastingPicture> {
  const { maxSide = Infinity, maxLength = Infinity, types = WEB_PICTURES } = limits
  if (!facts) return { note: 'it could not be read as an image', isLasting: true }
  const { width, height, mediaType, orientation } = facts
  const size = formatSize(facts)
  if (width * height > MAX_PIXELS)
    return { note: `its ${size} px are too many to scale it`, isLasting: true }
  const ratio = Math.min(1, maxSide / Math.max(width, height))
  const bytes = new Uint8Array(decodeBase64(media.data))
  const scaled = await scaler.scale(bytes, {
    mimeType: mediaType,
    width: Math.max(1, Math.round(width * ratio)),
    height: Math.max(1, Math.round(height * ratio)),
    orientation,
    maxBytes: getMaxBytes(maxLength),
    types,
  })
  if (!scaled.ok) return { note: scaled.reason, isLasting: scaled.install === undefined }
  const data = encodeBase64(scaled.bytes)
  const newSize = formatSize({ ...scaled, orientation: 1 })
  const change =
    size !== newSize
      ? `scaled from ${size} px to ${newSize} px`
      : types.includes(mediaType)
        ? `compressed from ${formatByteSize(bytes.length)} to ${formatByteSize(scaled.bytes.length)}, ${size} px`
        : `converted from ${mediaType} to ${scaled.mimeType}`
  const still = isAnimated(bytes, mediaType) ? ', and is the first picture of its animation' : ''
  return { media: { mediaType: scaled.mimeType, data }, note: `${change}${still}` }
}

interface LastingPicture extends FittedPicture {
  /** Whether another attempt would fail too. */
  isLasting?: boolean
}

/** `3456 × 2234`, as the picture is seen. */
function formatSize({ width, height, orientation }: Omit<ImageFacts, 'mediaType'>): string {
  return orientation >= 5 ? `${height} × ${width}` : `${width} × ${height}`
}

/** Whether a GIF has several frames, or a WebP says that it is an animation. */
function isAnimated(bytes: Uint8Array, mediaType: string): boolean {
  if (mediaType === 'image/gif') {
    const text = new TextDecoder('latin1').decode(bytes)
    // The head of a frame, from the second one on.
    const first = text.indexOf(FRAME)
    return first !== -1 && text.includes(FRAME, first + 1)
  }
  return mediaType === 'image/webp' && ((bytes[20] ?? 0) & 2) !== 0 && isExtended(bytes)
}

const FRAME = '\u0021\u00f9\u0004'

/** `VP8X` at byte 12: the flags follow. */
function isExtended(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(12, 16)) === 'VP8X'
}

/** A scaled file keeps the name of a resource. */
function withName(fitted: FittedPicture, { filename }: Media): FittedPicture {
  return fitted.media && filename !== undefined
    ? { ...fitted, media: { ...fitted.media, filename } }
    : fitted
}

/** `An image (image/png, 3456 × 2234 px, 24.5 MB)`. */
function describePicture({ media, facts }: Oversized): string {
  const size = formatByteSize(getBase64ByteLength(media.data))
  const parts = [oneLine(media.mediaType), ...(facts ? [`${formatSize(facts)} px`] : []), size]
  return `An image (${parts.join(', ')})`
}

function explainLimits({ maxSide, maxLength, types = WEB_PICTURES }: PictureLimits): string {
  const most = [
    ...(maxSide === undefined ? [] : [`${maxSide} px a side`]),
    ...(maxLength === undefined ? [] : [formatByteSize(getMaxBytes(maxLength))]),
  ]
  const kinds = types.map((type) => type.replace('image/', '')).join(', ')
  const size = most.length === 0 ? 'a picture' : `at most ${most.join(' and ')}`
  return `${size} as ${kinds} is accepted`
}

/** Returns how many bytes fit into base64 of a length. */
function getMaxBytes(maxLength: number): number {
  return Math.floor(maxLength / 4) * 3
}

function replacePicture(block: ContentBlock, { data, mediaType: mimeType }: Media): ContentBlock {
  if (block.type === 'image') return { ...block, data, mimeType }
  if (block.type !== 'resource') return block
  const { text: _text, ...resource } = block.resource
  return { ...block, resource: { ...resource, blob: data, mimeType } }
}

function toNote(
  text: string,
  { result, index }: { result: ToolResult; index: number },
): ContentBlock {
  return { type: 'text', text: formatNote(`${text}${nameOriginal(result, index)}`) }
}

async function hash(data: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(data))
  return encodeBase64(new Uint8Array(bytes))
}

/** Bytes of one step, because a function takes a limited number of arguments. Three bytes are four characters. */
const STEP = 3 * 4096

function encodeBase64(bytes: Uint8Array): string {
  const steps: string[] = []
  for (let start = 0; start < bytes.length; start += STEP)
    steps.push(btoa(String.fromCharCode(...bytes.subarray(start, start + STEP))))
  return steps.join('')
}
