import type { ContentBlock, Problem } from '@toolblocks/protocol'
import { describeValue, repairBase64 } from '@toolblocks/protocol/internal'
import type { ImportedEvent } from './imported-event.ts'

/** A warning of the parser about the base64 of a block. */
type MediaProblem = Problem & { code: 'repaired-base64' | 'invalid-base64' }

/**
 * Repairs the base64 of images, audio and files in an event as the parser does in the output of a tool. A result has the warnings in its metadata.
 * Base64 that cannot be repaired is kept unchanged.
 */
export function repairMedia(event: ImportedEvent): {
  event: ImportedEvent
  problems: readonly MediaProblem[]
} {
  const problems: MediaProblem[] = []
  if (event.type === 'user_message' || event.type === 'assistant_message') {
    const content = repairBlocks(event.content, problems)
    return { event: problems.length === 0 ? event : { ...event, content }, problems }
  }
  if (event.type !== 'tool_result') return { event, problems }
  const { result } = event
  const content = repairBlocks(result.content, problems)
  if (problems.length === 0) return { event, problems }
  const metadata = {
    ...result.metadata,
    warnings: [...(result.metadata?.warnings ?? []), ...problems],
  }
  return { event: { ...event, result: { ...result, content, metadata } }, problems }
}

function repairBlocks(
  content: readonly ContentBlock[],
  problems: MediaProblem[],
): readonly ContentBlock[] {
  return content.map((block, index) => {
    const [data, pointer] = getBase64(block)
    if (data === undefined) return block
    const repaired = repairBase64(data)
    if (repaired?.repairs.length === 0) return block
    problems.push({
      path: `/content/${index}${pointer}`,
      code: repaired ? 'repaired-base64' : 'invalid-base64',
      message: repaired
        ? `The base64 was repaired: ${repaired.repairs.join(', ')}.`
        : 'The base64 is invalid and cannot be repaired; it was kept unchanged.',
      expected: 'base64 (RFC 4648 section 4, padded)',
      got: describeValue(data),
    })
    return repaired ? withBase64(block, repaired) : block
  })
}

function getBase64(block: ContentBlock): readonly [data: string | undefined, place: string] {
  if (block.type === 'image' || block.type === 'audio') return [block.data, '/data']
  if (block.type !== 'resource') return [undefined, '']
  return [block.resource.blob, '/resource/blob']
}

/** The type of a source that states none. */
const UNKNOWN = 'application/octet-stream'

function withBase64(
  block: ContentBlock,
  { base64, mimeType }: { base64: string; mimeType?: string },
): ContentBlock {
  if (block.type === 'resource') {
    const { text: _none, ...resource } = block.resource
    return { ...block, resource: { ...resource, blob: base64 } }
  }
  if (block.type !== 'image' && block.type !== 'audio') return block
  const type = block.mimeType === UNKNOWN ? (mimeType ?? UNKNOWN) : block.mimeType
  return { ...block, data: base64, mimeType: type }
}
