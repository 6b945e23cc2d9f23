import { canonicalUri } from '@toolblocks/protocol'
import { sniffMimeType } from '@toolblocks/media-type'

/** Content as a resource carries it. */
export type ReadContent =
  | { readonly text: string; readonly mimeType?: string }
  | { readonly blob: string; readonly mimeType: string }

/** Reads bytes as text where they are text, else as base64; `named` is the mime type that their name or sender gives. */
export function readContent(bytes: Uint8Array, named: string | undefined): ReadContent {
  const sniffed = sniffMimeType(bytes)
  const text = sniffed !== undefined && !named?.startsWith('text/') ? undefined : decode(bytes)
  if (text === undefined) {
    const mimeType = sniffed ?? named ?? 'application/octet-stream'
    return { blob: Buffer.from(bytes).toString('base64'), mimeType }
  }
  return { text, ...(named !== undefined && { mimeType: named }) }
}

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The canonical form of a uri, or the uri itself where it has none. */
export function toCanonicalUri(uri: string): string {
  const named = canonicalUri(uri, process.cwd())
  return named.ok ? named.uri : uri
}
