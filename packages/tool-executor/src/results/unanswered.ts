import { createErrorResult, type QuestionContent, type ToolResult } from '@toolblocks/protocol'

function questionsOf(result: ToolResult): readonly QuestionContent[] {
  return result.content.filter((block) => block.type === 'question')
}

/**
 * Ends a call on questions nobody was asked. A result with questions is evidence of the questions, not a tool
 * result, so a model is told what was asked and gets none of its blocks.
 */
export function endUnanswered(result: ToolResult, unanswered: 'fail' | 'return'): ToolResult {
  const questions = questionsOf(result)
  if (questions.length === 0 || result.isError) return result
  if (unanswered === 'return')
    return { ...result, isError: true, metadata: { ...result.metadata, outcome: 'unanswered' } }
  const asked = questions.map(({ question }) => `- ${question.id}: ${question.text}`)
  const text = ['The tool asked, and nobody could be asked:', ...asked].join('\n')
  return createErrorResult(text, undefined, { ...result.metadata, outcome: 'unanswered' })
}
