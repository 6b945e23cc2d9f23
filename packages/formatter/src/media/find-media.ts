import { getAudience, type ContentBlock, type ToolResult } from '@toolblocks/protocol'
import { quoteInNote } from '@toolblocks/protocol/internal'
import { nameBlock } from '../text/format-block.ts'
import { oneLine } from '../text/model-text.ts'

/** Bytes in a block that a model may be able to see or hear. */
export interface Media {
  /** Lower case, without parameters. */
  mediaType: string
  /** Base64. */
  data: string
  /** The file name of a resource, if it has one. */
  filename?: string
}

const ALIASES = new Map([
  ['image/jpg', 'image/jpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/mp3', 'audio/mpeg'],
  ['application/x-pdf', 'application/pdf'],
])

/** What a model gets of a picture that is larger than its limits. */
export interface FittedPicture {
  /** The picture instead of that of the block. Absent: it could not be scaled. */
  media?: Media
  /** How it differs, or why it could not be scaled: a part of a sentence. */
  note: string
}

/** The pictures that stand for those of blocks in a request. The blocks keep the originals, by which texts name their size. */
const fittedPictures = new WeakMap<ContentBlock, FittedPicture>()

/** Returns a copy of a block whose picture is replaced for a model. */
export function withFittedPicture(block: ContentBlock, fitted: FittedPicture): ContentBlock {
  const copy = { ...block }
  fittedPictures.set(copy, fitted)
  return copy
}

/** Returns what a model gets of the picture of a block, if it differs from the block. */
export function findFittedPicture(block: ContentBlock): FittedPicture | undefined {
  return fittedPictures.get(block)
}

/** Returns the media of a block, unless it is for the person alone. */
export function findMedia(block: ContentBlock): Media | undefined {
  const fitted = fittedPictures.get(block)
  return fitted?.media ?? findOwnMedia(block)
}

function findOwnMedia(block: ContentBlock): Media | undefined {
  if (getAudience(block) === 'user') return undefined
  if (block.type === 'image' || block.type === 'audio')
    return { mediaType: plainType(block.mimeType), data: block.data }
  if (block.type !== 'resource') return undefined
  const { blob, mimeType, uri, name } = block.resource
  if (blob === undefined || mimeType === undefined) return undefined
  return { mediaType: plainType(mimeType), data: blob, filename: name ?? lastSegment(uri) }
}

/** Whether models may see or hear this kind of media, so that omitting them deserves a note. */
export function isPerceptible({ mediaType }: Media): boolean {
  return /^(?:image|audio|video)\/|^application\/pdf$/.test(mediaType)
}

function plainType(mimeType: string): string {
  if (/^[a-z]+\/[a-z]+$/.test(mimeType)) return ALIASES.get(mimeType) ?? mimeType
  const [type = ''] = mimeType.split(';', 1)
  const plain = type.trim().toLowerCase()
  return ALIASES.get(plain) ?? plain
}

function lastSegment(uri: string): string {
  const [path = ''] = uri.split(/[?#]/, 1)
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns media as a data URL. */
export function dataUrl({ mediaType, data }: Media): string {
  return `data:${mediaType};base64,${data}`
}

/** Returns a file name, which some providers require. */
export function getFileName({ mediaType, filename = '' }: Media): string {
  if (filename !== '') return filename
  return mediaType === 'application/pdf' ? 'file.pdf' : 'file'
}

/** Reading the result again would give the model the same picture. */
export const ONLY_SO = 'You get it only like this.'

/** Says where the original of a picture is. Only a person sees it. */
export function nameOriginal({ id = '' }: ToolResult, index: number): string {
  if (id === '') return ''
  return ` A person sees the original: call ${oneLine(quoteInNote(id))}, ${nameBlock(index)}.`
}
