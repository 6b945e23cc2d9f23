/** What is kept of what a program complains about. */
const MAX_TAIL = 4 * 1024

/** Keeps the end of a stream of text. */
export function createTail(): { add: (chunk: Buffer) => void; text: () => string } {
  let tail = ''
  return {
    add: (chunk) => {
      tail = `${tail}${chunk.toString('utf8')}`.slice(-MAX_TAIL)
    },
    text: () => tail.trim(),
  }
}
