import type { ContentBlock } from '../content/content-block.ts'
import type { Problem } from '../json/problem.ts'

/** How many different warnings are kept; a tool that earns more is no better understood by them. */
const MAX_WARNINGS = 100

/** What a live call said, and what was odd about it. */
interface SaidOutput {
  content: readonly ContentBlock[]
  warnings: readonly Problem[]
}

/** Blocks and warnings until somebody takes them. */
export interface LimitedOutput {
  /** A warning that is kept already is not kept again: a tool is asked for news many times. */
  add(output: SaidOutput): void
  /** Takes everything out; what did not fit is said in a last block. */
  take(): SaidOutput
}

/** Keeps the first `characters` of JSON and counts the rest; `span` says in the last block of what, such as `of one call`. */
export function createLimitedOutput({
  characters: most,
  span,
}: {
  characters: number
  span: string
}): LimitedOutput {
  let kept: ContentBlock[] = []
  let warnings = new Map<string, Problem>()
  let size = 0
  let lost = 0
  return {
    add: (output) => {
      for (const block of output.content) {
        const characters = JSON.stringify(block).length
        if (lost > 0 || size + characters > most) lost += 1
        else {
          size += characters
          kept.push(block)
        }
      }
      for (const warning of output.warnings)
        if (warnings.size < MAX_WARNINGS) warnings.set(JSON.stringify(warning), warning)
    },
    take: () => {
      const text = `[${lost} more blocks were not kept: at most ${most} characters are, ${span}]`
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
