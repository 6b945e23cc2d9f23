import { MAX_REFUSAL_BYTES } from '@toolblocks/protocol/internal'

/** Reads a body to its end, unless it is too large; with `maxMs`, what has arrived by then. */
export async function readBody(
  { body }: Response,
  maxBytes: number,
  maxMs?: number,
): Promise<string | undefined> {
  if (!body) return ''
  const reader = body.getReader()
  const end = async (): Promise<void> => await reader.cancel().catch(() => undefined)
  const late = maxMs === undefined ? undefined : setTimeout(() => void end(), maxMs)
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (let { value } = await reader.read(); value; { value } = await reader.read()) {
      bytes += value.byteLength
      if (bytes > maxBytes) {
        await end()
        return undefined
      }
      chunks.push(value)
    }
  } finally {
    clearTimeout(late)
  }
  return Buffer.concat(chunks, bytes).toString('utf8')
}

/** Milliseconds for the text of a refusal. */
const REFUSAL_MS = 5000

/** Returns the text of a refusal; empty if it is too large or breaks off. */
export async function readText(response: Response): Promise<string> {
  const text = await readBody(response, MAX_REFUSAL_BYTES, REFUSAL_MS).catch(() => undefined)
  return text ?? ''
}
