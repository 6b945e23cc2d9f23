import type { ContentBlock, Problem } from '@toolblocks/protocol'

/** How much is kept of what a handle said while a model was awaiting, in characters of JSON. */
const MOST = 1024 * 1024
/** How many different warnings are kept; a tool that earns more is no better understood by them. */
const MOST_WARNINGS = 100

/** What a handle said, and what was odd about it. */
interface Output {
  content: readonly ContentBlock[]
  warnings: readonly Problem[]
}

/** Blocks and warnings until the next result. */
export interface KeptOutput {
  /** A warning that is kept already is not kept again: a tool is asked for news many times. */
  add(output: Output): void
  /** Takes everything out; what did not fit is said in a last block. */
  take(): Output
}

/** Keeps the first mebibyte between two results and counts the rest. */
export function createKeptOutput(): KeptOutput {
  let kept: ContentBlock[] = []
  let warnings = new Map<string, Problem>()
  let size = 0
  let lost = 0
  return {
    add: (output) => {
      for (const block of output.content) {
        const characters = JSON.stringify(block).length
        if (lost > 0 || size + characters > MOST) lost += 1
        else {
          size += characters
          kept.push(block)
        }
      }
      for (const warning of output.warnings)
        if (warnings.size < MOST_WARNINGS) warnings.set(JSON.stringify(warning), warning)
    },
    take: () => {
      const text = `[${lost} more blocks were not kept: at most ${MOST} characters are, between two results]`
      const content: ContentBlock[] = lost === 0 ? kept : [...kept, { type: 'text', text }]
      const taken = { content, warnings: [...warnings.values()] }
      kept = []
      warnings = new Map()
      size = 0
      lost = 0
      return taken
    },
  }
}
