import { createHash } from 'node:crypto'

/** Returns the SHA-256 of a text as UTF-8, in base64, like `sha256.ts`. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
