import type { ContentBlock } from '@toolblocks/protocol'

/** How much is kept of what a handle said while a model was awaiting, in characters of JSON. */
const MOST = 1024 * 1024

/** Blocks until the next result. */
export interface KeptOutput {
  add(blocks: readonly ContentBlock[]): void
  /** Takes everything out; what did not fit is said in a last block. */
  take(): readonly ContentBlock[]
}

/** Keeps the first mebibyte between two results and counts the rest. */
export function createKeptOutput(): KeptOutput {
  let kept: ContentBlock[] = []
  let size = 0
  let lost = 0
  return {
    add: (blocks) => {
      for (const block of blocks) {
        const characters = JSON.stringify(block).length
        if (lost > 0 || size + characters > MOST) lost += 1
        else {
          size += characters
          kept.push(block)
        }
      }
    },
    take: () => {
      const text = `[${lost} more blocks were not kept: at most ${MOST} characters are, between two results]`
      const taken: ContentBlock[] = lost === 0 ? kept : [...kept, { type: 'text', text }]
      kept = []
      size = 0
      lost = 0
      return taken
    },
  }
}
