import type { ContentBlock, Problem } from '@toolblocks/protocol'

/** Blocks of a tool and the problems in them. */
export interface LiveOutput {
  content: readonly ContentBlock[]
  warnings: readonly Problem[]
}

/** Messages that a live tool sent without a request, until the next fetch. */
interface Inbox {
  isEmpty(): boolean
  add(content: readonly ContentBlock[], warnings: readonly Problem[], bytes: number): void
  /** Removes and returns everything; a warning says how much was dropped. */
  take(): LiveOutput
}

/** Creates an inbox that keeps the first `limit` bytes between two fetches and counts the rest. */
export function createInbox(limit: number): Inbox {
  let content: ContentBlock[] = []
  let warnings: Problem[] = []
  let kept = 0
  let dropped = 0
  return {
    isEmpty: () => content.length === 0,
    add: (blocks, problems, bytes) => {
      if (kept + bytes > limit) {
        dropped += bytes
        return
      }
      kept += bytes
      content.push(...blocks)
      warnings.push(...problems)
    },
    take: () => {
      const message = `the tool printed more than is kept between two fetches: ${dropped} bytes are lost; fetch more often`
      const lost: Problem[] =
        dropped === 0
          ? []
          : [{ path: '', message, expected: `at most ${limit} bytes`, code: 'over-limit' }]
      const taken = { content, warnings: [...warnings, ...lost] }
      content = []
      warnings = []
      kept = 0
      dropped = 0
      return taken
    },
  }
}
