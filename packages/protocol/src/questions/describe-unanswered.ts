import type { ContentBlock } from '../content/content-block.ts'
import { createFailure } from '../tools/create-result.ts'
import type { Outcome, ToolResult } from '../tools/tool-result.ts'
import type { Answer, CancelReason } from './answer.ts'
import type { InputRequest } from './input-request.ts'

/** The result of a call whose question got no answer: which question, and what came instead. Where nobody could be asked, nobody has seen what stood before it, which comes first. */
export function describeUnanswered(
  { id, text }: InputRequest,
  answer: Exclude<Answer, { action: 'accept' }>,
  blocks: readonly ContentBlock[] = [],
): ToolResult {
  const question = `The tool asked "${text.trim().split(/[\r\n]/)[0]}" (${id})`
  switch (answer.action) {
    case 'decline':
      return createFailure(`${question}, and that was declined.`, 'denied')
    case 'cancel': {
      const { outcome, words } = cancelled(answer.reason)
      const message = answer.message === undefined ? '' : `: ${answer.message}`
      const failure = createFailure(`${question}, ${words}${message}.`, outcome)
      return answer.reason === 'nobody'
        ? { ...failure, content: [...blocks, ...failure.content] }
        : failure
    }
  }
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
    case 'timeout':
      return { outcome: 'timeout', words: 'and no answer came in time' }
    case 'nobody':
      return { outcome: 'unanswered', words: 'and nobody could answer it' }
    case 'wrong-answer':
      return { outcome: 'unanswered', words: 'and the answers did not fit' }
    case 'failed':
      return { outcome: 'failed', words: 'and getting an answer failed' }
  }
}
