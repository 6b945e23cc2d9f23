import type { ContentBlock } from '../content/content-block.ts'
import type { ToolResult } from '../tools/tool-result.ts'
import type { InputRequest } from './input-request.ts'

/** A question of a result with what stands around it. */
export interface FoundQuestion {
  request: InputRequest
  /** All blocks before it, without earlier questions. */
  blocks: readonly ContentBlock[]
  /** With the last question that has an id of its own: the blocks after it. */
  after: readonly ContentBlock[]
}

/** The questions of a result in their order, each with the blocks before it; no block of the result is lost. */
export function findQuestions(result: Pick<ToolResult, 'content'>): readonly FoundQuestion[] {
  const found: FoundQuestion[] = []
  const blocks: ContentBlock[] = []
  for (const block of result.content) {
    if (block.type !== 'question') blocks.push(block)
    else found.push({ request: block.question, blocks: [...blocks], after: [] })
  }
  const last = lastAskable(found)
  return found.map((question) =>
    question === last ? { ...question, after: blocks.slice(question.blocks.length) } : question,
  )
}

/** Answers go by id: a question without one, or with one that stood before, may be left out, and what follows it must not be. */
function lastAskable(found: readonly FoundQuestion[]): FoundQuestion | undefined {
  const ids = new Set([''])
  const askable = found.filter(({ request: { id } }) => {
    const isNew = !ids.has(id)
    ids.add(id)
    return isNew
  })
  return askable.at(-1) ?? found.at(-1)
}
