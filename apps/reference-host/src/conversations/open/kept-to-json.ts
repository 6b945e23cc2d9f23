import { Buffer } from 'node:buffer'
import type { Kept } from '@toolblocks/viewer/reading'

/** What JSON can carry of it: bytes are base64. */
export function keptToJson(kept: Kept): Readonly<Record<string, unknown>> {
  if ('problem' in kept)
    return 'bytes' in kept ? { ...kept, bytes: toBase64(kept.bytes) } : { ...kept }
  const { original, ...rest } = kept
  return original ? { ...rest, original: toBase64(original) } : rest
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
