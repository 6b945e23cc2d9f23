import type { IncomingMessage } from 'node:http'

/** What came of reading a request's body. */
export type RequestBody =
  | { kind: 'json'; body: unknown }
  | { kind: 'no-json' }
  | { kind: 'too-large' }

/** How much of a body that is too large is read and dropped, in times of the limit. */
const READ_ON = 8

/** Reads a body as JSON, unless it is too large. */
export async function readRequestBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<RequestBody> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    const part: Buffer = chunk
    bytes += part.length
    // Read on, or the client would not get to read why it was refused; but not for ever.
    if (bytes > maxBytes * READ_ON) break
    if (bytes <= maxBytes) chunks.push(part)
  }
  if (bytes > maxBytes) return { kind: 'too-large' }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks, bytes).toString('utf8'))
    return { kind: 'json', body }
  } catch {
    return { kind: 'no-json' }
  }
}
