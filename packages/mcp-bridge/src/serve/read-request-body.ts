import type { IncomingMessage } from 'node:http'
import { scanJson } from '@toolblocks/protocol'

/** What came of reading a request's body. */
export type RequestBody =
  | { kind: 'json'; body: unknown }
  | { kind: 'no-json' }
  | { kind: 'too-deep' }
  | { kind: 'too-large' }
  | { kind: 'too-slow' }

/** What a body may take. */
export interface BodyBudget {
  bytes: number
  /** Until its last byte is there. */
  ms: number
}

/** How much of a body that is too large is read and dropped, in times of the limit. */
const READ_ON = 8

/** Reads a body as JSON, unless it is over its budget. */
export async function readRequestBody(
  request: IncomingMessage,
  { bytes: most, ms }: BodyBudget,
): Promise<RequestBody> {
  const chunks: Buffer[] = []
  let bytes = 0
  let isLate = false
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => {
    isLate = true
    resolve(undefined)
  }, ms)
  const incoming = request[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([incoming.next(), late])
      if (!next || next.done) break
      const part: Buffer = next.value
      bytes += part.length
      // Read on, or the client would not get to read why it was refused; but not for ever.
      if (bytes > most * READ_ON) break
      if (bytes <= most) chunks.push(part)
    }
  } finally {
    clearTimeout(timer)
  }
  if (bytes > most) return { kind: 'too-large' }
  if (isLate) return { kind: 'too-slow' }
  return parse(Buffer.concat(chunks, bytes).toString('utf8'))
}

function parse(text: string): RequestBody {
  if (scanJson(text).exceeds) return { kind: 'too-deep' }
  try {
    return { kind: 'json', body: JSON.parse(text) }
  } catch {
    return { kind: 'no-json' }
  }
}
