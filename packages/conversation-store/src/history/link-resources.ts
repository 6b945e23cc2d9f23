import type { ContentBlock, ResourceIdentity, ResourceLink, ToolResult } from '@toolblocks/protocol'
import { META_IDENTITY } from '@toolblocks/protocol/internal'

/** Returns links to the resources of a result: URI, MIME type, size and checksum, without their content. */
export function getLinks({ content, metadata }: ToolResult): readonly ResourceLink[] {
  return linksTo(content, metadata?.resources)
}

/** Returns links to the resources of blocks, with their identities if they are known. */
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
    // Also set without an identity, because it tells that the tool did not return this link itself.
    const left = { _meta: { [META_IDENTITY]: identity ? { ...identity } : null } }
    const attributes = {
      ...(title !== undefined && { title }),
      ...(mimeType !== undefined && { mimeType }),
    }
    return [{ type: 'resource_link', uri, name, ...attributes, ...known, ...left }]
  })
}

/** Returns each resource once, by its URI and checksum. */
export function distinctLinks(links: readonly ResourceLink[]): readonly ResourceLink[] {
  return [
    ...new Map(links.map((link) => [JSON.stringify([link.uri, link.description]), link])).values(),
  ]
}
