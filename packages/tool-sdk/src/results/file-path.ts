import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The path of a file that is named by a path, or by its `file:` URL as a text or a `URL`. Throws for the address of anything else. */
export function filePath(source: string | URL, root: string): string {
  const url = typeof source === 'string' ? urlIn(source) : source
  if (url === undefined) return resolve(root, String(source))
  if (url.protocol === 'file:') return fileURLToPath(url)
  throw new TypeError(
    `${url.href} is no file: expected a path or a file: URL; of other addresses, give what fetch gave`,
  )
}

/** A text with a scheme is an address; one letter is a drive. */
function urlIn(source: string): URL | undefined {
  const isAddress = /^(?:file:|[a-z][a-z0-9+.-]+:\/\/)/i.test(source)
  return isAddress && URL.canParse(source) ? new URL(source) : undefined
}
