import {
  type ContentBlock,
  META_IDENTITY,
  type ResourceIdentity,
  type ResourceLink,
  type ToolResult,
} from '@toolblocks/protocol'

/** What is left of a result whose content is left out: how it ended, and what it was about. */
export function stripResult(result: ToolResult, tool: string | undefined): ToolResult {
  const { id, isError, metadata } = result
  const outcome = metadata?.outcome
  const text = `[compacted] ${tool ?? 'unknown'}: ${isError ? 'error' : 'success'}`
  return {
    ...(id !== undefined && { id }),
    content: [{ type: 'text', text }, ...linksOf(result)],
    isError,
    ...(outcome && { metadata: { outcome } }),
  }
}

/** Resources of a result by name: uri, mime type, size and checksum, without their content. */
export function linksOf({ content, metadata }: ToolResult): readonly ResourceLink[] {
  return linksTo(content, metadata?.resources)
}

/** The same of blocks, with their identities where they are known. */
export function linksTo(
  content: readonly ContentBlock[],
  identities: readonly (ResourceIdentity | null)[] = [],
): readonly ResourceLink[] {
  return content.flatMap((block, index): readonly ResourceLink[] => {
    if (block.type === 'resource_link') return [block]
    if (block.type !== 'resource') return []
    const { uri, name = uri, title, mimeType } = block.resource
    const identity = identities[index]
    const known = identity && { size: identity.bytes, description: `sha256 ${identity.sha256}` }
    // Also where there is none: it says that this is no link of the tool.
    const left = { _meta: { [META_IDENTITY]: identity ? { ...identity } : null } }
    const words = {
      ...(title !== undefined && { title }),
      ...(mimeType !== undefined && { mimeType }),
    }
    return [{ type: 'resource_link', uri, name, ...words, ...known, ...left }]
  })
}

/** Each resource once, by what it is. */
export function distinctLinks(links: readonly ResourceLink[]): readonly ResourceLink[] {
  return [
    ...new Map(links.map((link) => [JSON.stringify([link.uri, link.description]), link])).values(),
  ]
}
