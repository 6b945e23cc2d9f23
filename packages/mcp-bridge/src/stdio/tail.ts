/** What is kept of what a program complains about. */
const MAX_TAIL = 4 * 1024

/** Keeps the end of a stream of text. */
export function createTail(): { add: (chunk: Uint8Array) => void; text: () => string } {
  const decoder = new TextDecoder()
  let tail = ''
  return {
    add: (chunk) => {
      tail = `${tail}${decoder.decode(chunk, { stream: true })}`.slice(-MAX_TAIL)
    },
    text: () => tail.trim(),
  }
}
