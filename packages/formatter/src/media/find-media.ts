import { getAudience, type ContentBlock } from '@toolblocks/protocol'

/** Bytes in a block that a model may be able to see or hear. */
export interface Media {
  /** Lower case, without parameters. */
  mediaType: string
  /** Base64. */
  data: string
  /** Where a resource has one. */
  filename?: string
}

const ALIASES = new Map([
  ['image/jpg', 'image/jpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/mp3', 'audio/mpeg'],
  ['application/x-pdf', 'application/pdf'],
])

/** The media of a block; none of what is for the person alone. */
export function findMedia(block: ContentBlock): Media | undefined {
  if (getAudience(block) === 'user') return undefined
  if (block.type === 'image' || block.type === 'audio')
    return { mediaType: plainType(block.mimeType), data: block.data }
  if (block.type !== 'resource') return undefined
  const { blob, mimeType, uri, name } = block.resource
  if (blob === undefined || mimeType === undefined) return undefined
  return { mediaType: plainType(mimeType), data: blob, filename: name ?? lastSegment(uri) }
}

/** Whether media are of a kind that models may see or hear, so that one they were not given is worth a word. */
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

/** Media as an address that holds them. */
export function dataUrl({ mediaType, data }: Media): string {
  return `data:${mediaType};base64,${data}`
}

/** The name of a file, which some providers insist on. */
export function getFileName({ mediaType, filename = '' }: Media): string {
  if (filename !== '') return filename
  return mediaType === 'application/pdf' ? 'file.pdf' : 'file'
}
