import {
  type ContentBlock,
  type EmbeddedResource,
  type Problem,
  type ResourceLink,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  formatNote,
  nameInNote,
  withWarnings,
  formatByteSize,
  getBase64ByteLength,
} from '@toolblocks/protocol/internal'
import type { BridgeProblem } from './failures.ts'
import type { LinkPolicy } from './server-config.ts'

/** `_meta` key of a resource that was read for a link: the link's uri. */
const META_RESOLVED_FROM = 'toolblocks/resolved-from'

const MAX_LINKS = 8

const MAX_BYTES = 256 * 1024

const MAX_TOTAL_BYTES = 1024 * 1024

const PREVIEW_BYTES = 2 * 1024

/** Reads a resource of the server that sent the links. */
type ReadLink = (uri: string) => Promise<ToolResult>

/**
 * Adds the targets of links after them if the user's settings say so: `preview` the beginning, `inline` the complete content. The link always
 * stays. If its target cannot be read or is beyond the limits, the link has a warning and no content.
 */
export async function readLinks(
  result: ToolResult,
  policy: LinkPolicy,
  read: ReadLink,
): Promise<ToolResult> {
  const { mode = 'lazy', maxLinks = MAX_LINKS, maxTotalBytes = MAX_TOTAL_BYTES } = policy
  if (mode === 'lazy' || !result.content.some(isReadable)) return result
  const maxBytes = policy.maxBytes ?? MAX_BYTES
  const warnings: Problem[] = []
  const content: ContentBlock[] = []
  let links = 0
  let left = maxTotalBytes
  for (const block of result.content) {
    content.push(block)
    if (!isReadable(block)) continue
    links += 1
    const problem =
      links > maxLinks
        ? `only ${maxLinks} links of a result are read`
        : tooLarge(block.size, Math.min(maxBytes, left))
    if (problem !== undefined) {
      warnings.push(notRead(block, problem))
      continue
    }
    const resources = await readLink(block, read)
    if (typeof resources === 'string') {
      warnings.push(notRead(block, resources))
      continue
    }
    for (const resource of resources) {
      const included = mode === 'preview' ? cutText(resource, PREVIEW_BYTES) : resource
      const size = included ? measureSize(included) : 0
      const refusal = tooLarge(size, Math.min(maxBytes, left))
      if (included && refusal === undefined) {
        left -= size
        content.push(included)
      } else warnings.push(notRead(block, refusal ?? 'it is not text, so it has no preview'))
    }
  }
  return withWarnings({ ...result, content }, { after: warnings })
}

/** Links with the audience `user` are not read for a model. */
function isReadable(block: ContentBlock): block is ResourceLink {
  if (block.type !== 'resource_link') return false
  const audience = block.annotations?.audience
  return audience === undefined || audience.includes('assistant')
}

type ResourceBlock = Extract<ContentBlock, { type: 'resource' }>

/** Returns the resources of a link, or why there are none. */
async function readLink(
  { uri, annotations }: ResourceLink,
  read: ReadLink,
): Promise<readonly ResourceBlock[] | string> {
  const result = await read(uri)
  if (result.isError) {
    const [first] = result.content
    return first?.type === 'text' ? first.text : 'it could not be read'
  }
  return result.content.flatMap((block) =>
    block.type === 'resource'
      ? [
          {
            ...block,
            ...(annotations && { annotations }),
            _meta: { ...block._meta, [META_RESOLVED_FROM]: uri },
          },
        ]
      : [],
  )
}

function tooLarge(size: number | undefined, limit: number): string | undefined {
  return size !== undefined && size > limit
    ? `it has ${size} bytes, and the limit is ${limit}`
    : undefined
}

function notRead({ uri }: ResourceLink, reason: string): BridgeProblem {
  return { path: '', message: `The link to ${uri} was not read: ${reason}.`, code: 'link-not-read' }
}

/** The maximum number of remembered links of one server; the oldest are removed first. */
const MAX_REMEMBERED = 10_000

/** The uris in links of a server's results. */
interface LinkedUris {
  has(uri: string): boolean
  note(result: ToolResult): void
}

/** Remembers links: only those are read for a model. */
export function rememberLinks(): LinkedUris {
  const uris = new Set<string>()
  return {
    has: (uri) => uris.has(uri),
    note: ({ content }) => {
      for (const block of content) {
        if (block.type !== 'resource_link') continue
        uris.delete(block.uri)
        uris.add(block.uri)
        const [oldest] = uris
        if (uris.size > MAX_REMEMBERED && oldest !== undefined) uris.delete(oldest)
      }
    },
  }
}

/**
 * Limits the content of resources to this many bytes in all. Texts are cut between characters, other content is kept or removed completely. A note
 * says what is missing.
 */
export function limitContent(result: ToolResult, maxBytes: number): ToolResult {
  let left = maxBytes
  const content = result.content.flatMap((block): readonly ContentBlock[] => {
    if (block.type !== 'resource') return [block]
    const size = measureSize(block)
    if (size <= left) {
      left -= size
      return [block]
    }
    const cut = cutText(block, left)
    left = 0
    const note = formatNote(
      `Only ${formatByteSize(cut ? maxBytes : 0)} are read at a time; ${nameInNote(block.resource.uri)} has ${formatByteSize(size)}.`,
    )
    return [...(cut ? [cut] : []), { type: 'text', text: note }]
  })
  return { ...result, content }
}

function measureSize({ resource }: EmbeddedResource): number {
  return resource.text === undefined
    ? getBase64ByteLength(resource.blob)
    : Buffer.byteLength(resource.text, 'utf8')
}

/** Returns the beginning of a text, up to this many bytes; nothing if the resource is not text. */
function cutText(block: EmbeddedResource, bytes: number): EmbeddedResource | undefined {
  const { resource } = block
  if (resource.text === undefined || bytes <= 0) return undefined
  // Remove the replacement character of a character that was cut.
  const text = Buffer.from(resource.text, 'utf8')
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD{1,3}$/, '')
  return { ...block, resource: { ...resource, text } }
}
