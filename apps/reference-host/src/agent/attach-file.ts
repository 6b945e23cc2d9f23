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
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, message: `${path}: ${reason}` }
  }
}
