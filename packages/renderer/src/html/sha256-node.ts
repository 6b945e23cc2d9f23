import { createHash } from 'node:crypto'

/** The SHA-256 of a text as UTF-8, in base64, as `sha256.ts` gives it. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
