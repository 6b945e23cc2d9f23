import type { Problem } from '@toolblocks/protocol'
import { joinLines, type LiveLine } from './live-line.ts'

/** Messages that a live tool sent without a request, until the next fetch. */
interface Inbox {
  isEmpty(): boolean
  add(line: LiveLine, bytes: number): void
  /** Removes everything and returns it as one line without a status; a warning says how much was dropped. */
  take(): LiveLine
}

/** Creates an inbox that keeps the first `limit` bytes between two fetches and counts the rest. */
export function createInbox(limit: number): Inbox {
  let lines: LiveLine[] = []
  let kept = 0
  let dropped = 0
  return {
    isEmpty: () => lines.every(({ result }) => result.content.length === 0),
    add: (line, bytes) => {
      if (kept + bytes > limit) {
        dropped += bytes
        return
      }
      kept += bytes
      lines.push(line)
    },
    take: () => {
      const message = `the tool printed more than is kept between two fetches: ${dropped} bytes are lost; fetch more often`
      const lost: Problem[] =
        dropped === 0
          ? []
          : [{ path: '', message, expected: `at most ${limit} bytes`, code: 'over-limit' }]
      const taken = joinLines([
        ...lines,
        { result: { content: [], isError: false }, warnings: lost },
      ])
      lines = []
      kept = 0
      dropped = 0
      return taken
    },
  }
}
