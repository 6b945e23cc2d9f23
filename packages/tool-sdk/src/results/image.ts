import type { Annotations, ImageContent } from '@toolblocks/protocol'
import { filePath } from './file-path.ts'
import { readFileBytes } from './read-bytes.ts'

/** How a picture is read. */
export interface ImageOptions {
  /** What a relative path is relative to. Default: the current directory, which for a program is the workspace. */
  readonly root?: string
  /** Instead of the one that the first bytes give. */
  readonly mimeType?: string
  readonly annotations?: Annotations
}

/** Makes a block of a picture: of its bytes, or a file by its path or `file:` URL. Rejects for what is no picture and for more than 16 MiB. */
export async function image(
  source: string | Uint8Array,
  { root = process.cwd(), mimeType, annotations }: ImageOptions = {},
): Promise<ImageContent> {
  const bytes = typeof source === 'string' ? await readFileBytes(filePath(source, root)) : source
  const { sniffMimeType } = await import('@toolblocks/media-type')
  const type = mimeType ?? sniffMimeType(bytes)
  if (!type?.startsWith('image/')) {
    const what = typeof source === 'string' ? source : `the ${bytes.length} bytes given`
    throw new Error(`${what}: not a picture that is known by its first bytes; give its mimeType`)
  }
  return {
    type: 'image',
    data: Buffer.from(bytes).toString('base64'),
    mimeType: type,
    ...(annotations && { annotations }),
  }
}
