import { requireArguments } from '@toolblocks/protocol/internal'
import { createHash } from 'node:crypto'
import {
  canonicalUri,
  type ContentBlock,
  type Problem,
  type Resource,
  type ResourceIdentity,
} from '@toolblocks/protocol'

/** The identities of a result's resources by block index, and the problems of those without an identity. */
export interface IdentifiedResources {
  /** Absent if no block is a resource. */
  resources?: readonly (ResourceIdentity | null)[]
  problems: readonly Problem[]
}

/**
 * Names every embedded resource by its canonical URI and the SHA-256 of its raw content. The SHA-256 of `formatted` is separate. A URI without a
 * canonical form gives no identity and one problem.
 */
export function identifyResources(
  content: readonly ContentBlock[],
  root: string,
): IdentifiedResources {
  requireArguments('identifyResources(content, root)', [content, 'array'], [root, 'string'])
  if (!content.some((block) => block.type === 'resource')) return { problems: [] }
  const problems: Problem[] = []
  const resources = content.map((block, index) => {
    if (block.type !== 'resource') return null
    const canonical = canonicalUri(block.resource.uri, root)
    const problem = canonical.ok ? canonical.warning : canonical.problems[0]
    if (problem) problems.push({ ...problem, path: `/content/${index}/resource/uri` })
    if (!canonical.ok) return null
    const { formatted } = block
    return {
      uri: canonical.uri,
      ...measure(block.resource),
      ...(formatted !== undefined && { formatted: hashBytes(Buffer.from(formatted, 'utf8')) }),
    }
  })
  return { resources, problems }
}

function measure(resource: Resource): { sha256: string; bytes: number } {
  const bytes =
    resource.text === undefined
      ? Buffer.from(resource.blob, 'base64')
      : Buffer.from(resource.text, 'utf8')
  return { sha256: hashBytes(bytes), bytes: bytes.length }
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
