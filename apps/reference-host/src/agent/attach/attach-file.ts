import { image, resource } from '@toolblocks/tool-sdk'
import type { ContentBlock } from '@toolblocks/protocol'

/** A file as part of a message, as it is now, or why it is none. */
export type AttachedFile = { ok: true; block: ContentBlock } | { ok: false; message: string }

/** Reads a file: a picture as one, anything else as a resource with its uri. */
export async function attachFile(root: string, path: string): Promise<AttachedFile> {
  try {
    const block = await image(path, { root }).catch(async () => await resource(path, { root }))
    return { ok: true, block }
  } catch (error) {
    return { ok: false, message: `${path} ${explainRead(error)}` }
  }
}

function explainRead(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'is not there'
    case 'EISDIR':
      return 'is a folder, not a file'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read'
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
