/** What came of reading a body. */
export type ReadBody =
  | { kind: 'text'; text: string }
  | { kind: 'too-large' }
  | { kind: 'broken'; reason: string }

/** Reads a body to its end, unless it is too large. */
export async function readBody(response: Response, maxBytes: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) return { kind: 'too-large' }
      chunks.push(chunk)
    }
  } catch (error) {
    return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) }
  }
  return { kind: 'text', text: Buffer.concat(chunks, bytes).toString('utf8') }
}
