import { sniffMimeType } from '@toolblocks/media-type'
import { isBase64 } from '../show/is-base64.ts'

/** What a page shows or plays, by the first bytes of it; what a tool says it is does not count. */
const SHOWN: Readonly<Record<'image' | 'audio', ReadonlySet<string>>> = {
  image: new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']),
  audio: new Set(['audio/wav', 'audio/mpeg', 'audio/aac', 'audio/flac', 'audio/ogg', 'audio/mp4']),
}

/** Bytes as an address within the page, to be shown as what they are; undefined for what no page shows. */
export function mediaSource(media: 'image' | 'audio', base64: string): string | undefined {
  if (!isBase64(base64)) return undefined
  const mimeType = sniffMimeType(Buffer.from(base64.slice(0, 64), 'base64'))
  if (mimeType === undefined || !SHOWN[media].has(mimeType)) return undefined
  return `data:${mimeType};base64,${base64}`
}

/** Bytes to keep as a file: nothing opens them as what a tool says they are. */
export function fileSource(base64: string): string | undefined {
  return isBase64(base64) ? `data:application/octet-stream;base64,${base64}` : undefined
}

/** What a browser may call the file: the end of the name, without what means something in a path. */
export function fileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const plain = last.replace(/[^\p{L}\p{N} ._-]/gu, '_').replace(/^[. ]+|[. ]+$/g, '')
  return plain.slice(-100) || 'file'
}
