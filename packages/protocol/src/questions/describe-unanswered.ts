import type { ContentBlock } from '../content/content-block.ts'
import { createFailure } from '../tools/create-result.ts'
import type { Outcome, ToolResult } from '../tools/tool-result.ts'
import type { Answer, CancelReason } from './answer.ts'
import type { InputRequest } from './input-request.ts'

/** The result of a call whose question got no answer: what stood before the question, which nobody else is given otherwise, then which question it was, and what came instead. */
export function describeUnanswered(
  { id, text }: InputRequest,
  answer: Exclude<Answer, { action: 'accept' }>,
  blocks: readonly ContentBlock[] = [],
): ToolResult {
  const question = `The tool asked "${text.trim().split(/[\r\n]/)[0]}" (${id})`
  const { words, outcome } = outcomeOf(answer)
  const { content, ...failure } = createFailure(`${question}, ${words}.`, outcome)
  return {
    ...failure,
    content: [...blocks, ...content],
    metadata: { ...failure.metadata, question: id },
  }
}

function outcomeOf(answer: Exclude<Answer, { action: 'accept' }>): ReturnType<typeof cancelled> {
  if (answer.action === 'decline') return { words: 'and that was declined', outcome: 'denied' }
  const { words, outcome } = cancelled(answer.reason)
  return answer.message === undefined
    ? { words, outcome }
    : { words: `${words}: ${answer.message}`, outcome }
}

function cancelled(reason: CancelReason): {
  outcome: Exclude<Outcome, 'completed'>
  words: string
} {
  switch (reason) {
    case 'user':
      return { outcome: 'cancelled', words: 'and the question was cancelled' }
    case 'end-of-input':
      return { outcome: 'cancelled', words: 'and the input ended before an answer came' }
    case 'aborted':
      return { outcome: 'cancelled', words: 'and the call was aborted before an answer came' }
    case 'expired':
      return { outcome: 'timeout', words: 'and no answer came in time' }
    case 'nobody':
      return { outcome: 'unanswered', words: 'and nobody could answer it' }
    case 'wrong-answer':
      return { outcome: 'unanswered', words: 'and the answers did not fit' }
    case 'failed':
      return { outcome: 'failed', words: 'and getting an answer failed' }
  }
}
