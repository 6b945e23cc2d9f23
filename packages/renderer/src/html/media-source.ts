import { sniffMimeType } from '@toolblocks/media-type'
import { decodeBase64 } from '@toolblocks/protocol/internal'
import { isBase64 } from '../show/read-value.ts'

/** The types that a page shows or plays, by their first bytes. The tool's claim does not count. */
const MEDIA_TYPES: Readonly<Record<'image' | 'audio', ReadonlySet<string>>> = {
  image: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']),
  audio: new Set(['audio/wav', 'audio/mpeg', 'audio/aac', 'audio/flac', 'audio/ogg', 'audio/mp4']),
}

/** Returns the bytes of a picture or a sound as a `data:` address; `undefined` if a page cannot show them. */
export function findMediaSource(media: 'image' | 'audio', base64: string): string | undefined {
  if (!isBase64(base64)) return undefined
  const mimeType = sniffMimeType(decodeBase64(base64.slice(0, 64)))
  if (mimeType === undefined || !MEDIA_TYPES[media].has(mimeType)) return undefined
  return `data:${mimeType};base64,${base64}`
}

/** Returns bytes as a `data:` address of a file to save, without the type that the tool claims; `undefined` if they are not base64. */
export function getFileSource(base64: string): string | undefined {
  return isBase64(base64) ? `data:application/octet-stream;base64,${base64}` : undefined
}

/** Returns a file name for the browser: the end of the name, without characters that have a meaning in a path. */
export function getFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last.replace(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^[. ]+|[. ]+$/g, '')
  return plain.slice(-100) || 'file'
}
