/** The lines of a text that comes in pieces, without their ends; only a line feed ends a line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder()
  let pieces: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...rest] = decoder.decode(chunk, { stream: true }).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
  pieces.push(decoder.decode())
  const last = pieces.join('')
  if (last !== '') yield last
}
