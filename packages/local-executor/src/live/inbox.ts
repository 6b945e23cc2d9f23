import type { ContentBlock, Problem } from '@toolblocks/protocol'

/** What a live tool said without being asked, until somebody fetches it. */
export interface Inbox {
  add(content: readonly ContentBlock[], warnings: readonly Problem[], bytes: number): void
  /** Takes everything out; what did not fit is said. */
  take(): { content: readonly ContentBlock[]; warnings: readonly Problem[] }
}

/** Makes an inbox that keeps the first `limit` bytes between two fetches and counts the rest. */
export function createInbox(limit: number): Inbox {
  let content: ContentBlock[] = []
  let warnings: Problem[] = []
  let kept = 0
  let dropped = 0
  return {
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
      const message = `the tool said more than is kept between two fetches: ${dropped} bytes are lost; fetch more often`
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
