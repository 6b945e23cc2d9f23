import type { ContentBlock } from '../content/content-block.ts'
import type { Problem } from '../json/problem.ts'

/** Maximum number of different warnings that are kept. More would not help. */
const MAX_WARNINGS = 100

/** The output of a stateful call, and warnings about it. */
interface SaidOutput {
  content: readonly ContentBlock[]
  warnings: readonly Problem[]
}

/** Blocks and warnings that wait for delivery. */
export interface LimitedOutput {
  /** Adds output. An equal warning is kept only once, because a tool is fetched many times. */
  add(output: SaidOutput): void
  /** Removes and returns everything. A last block reports what exceeded the limit. */
  take(): SaidOutput
}

/**
 * Creates a buffer that keeps the first `characters` of JSON and counts the rest. `span` names the source in the last block, such as `of one call`.
 */
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
      const text = `[${lost} more blocks were dropped: at most ${most} characters ${span} are kept]`
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
