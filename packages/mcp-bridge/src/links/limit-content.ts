import {
  type ContentBlock,
  type EmbeddedResource,
  sizeInWords,
  sizeOfBase64,
  type ToolResult,
} from '@toolblocks/protocol'

/** Cuts the content of resources to so many bytes in all: texts between characters, other content as a whole. What is missing is said. */
export function limitContent(result: ToolResult, maxBytes: number): ToolResult {
  let left = maxBytes
  const content = result.content.flatMap((block): readonly ContentBlock[] => {
    if (block.type !== 'resource') return [block]
    const size = sizeOf(block)
    if (size <= left) {
      left -= size
      return [block]
    }
    const cut = cutText(block, left)
    left = 0
    const note = `[Only ${sizeInWords(cut ? maxBytes : 0)} are read at a time; ${block.resource.uri} has ${sizeInWords(size)}.]`
    return [...(cut ? [cut] : []), { type: 'text', text: note }]
  })
  return { ...result, content }
}

export function sizeOf({ resource }: EmbeddedResource): number {
  return resource.text === undefined
    ? sizeOfBase64(resource.blob)
    : Buffer.byteLength(resource.text, 'utf8')
}

/** The beginning of a text, up to so many bytes; nothing where it is no text. */
export function cutText(block: EmbeddedResource, bytes: number): EmbeddedResource | undefined {
  const { resource } = block
  if (resource.text === undefined || bytes <= 0) return undefined
  // What the end of a cut character decodes to is left out.
  const text = Buffer.from(resource.text, 'utf8')
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD{1,3}$/, '')
  return { ...block, resource: { ...resource, text } }
}
