import type { ContentBlock } from '../content/content-block.ts'
import type { ToolResult } from '../tools/tool-result.ts'
import type { InputRequest } from './input-request.ts'

/** A question of a result with what stands around it. */
export interface FoundQuestion {
  request: InputRequest
  /** All blocks before it, without earlier questions. */
  blocks: readonly ContentBlock[]
  /** With the last question: the blocks behind it. */
  after: readonly ContentBlock[]
}

/** The questions of a result in their order, each with the blocks before it. */
export function findQuestions(result: Pick<ToolResult, 'content'>): readonly FoundQuestion[] {
  const found: FoundQuestion[] = []
  const blocks: ContentBlock[] = []
  let last = 0
  for (const block of result.content) {
    if (block.type !== 'question') blocks.push(block)
    else {
      found.push({ request: block.question, blocks: [...blocks], after: [] })
      last = blocks.length
    }
  }
  const after = blocks.slice(last)
  return found.map((question, index) =>
    index === found.length - 1 ? { ...question, after } : question,
  )
}
