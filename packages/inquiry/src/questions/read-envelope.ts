import {
  appendPointer,
  type ContentBlock,
  field,
  isStatus,
  META_STATUS,
  type QuestionContent,
  type Tool,
  type ToolResult,
} from '@toolblocks/protocol'
import type { InquiryProblem } from '../inquiry-problem.ts'

/** What a result wants of its host. */
export interface Envelope {
  /** Its questions are to be asked; otherwise the result is the last word, questions and all. */
  asks: boolean
  warnings: readonly InquiryProblem[]
}

/** Reads a result of a one-shot execution: odd envelopes end the inquiry, and the oddness is said. */
export function readEnvelope(result: ToolResult, tool: Tool): Envelope {
  const { _meta: meta } = result
  const status: unknown = meta && field(meta, META_STATUS)
  const hasQuestions = result.content.some(isQuestion)
  if (status !== undefined && !isStatus(status))
    return ends(`the status ${JSON.stringify(status)} is unknown; the result is taken as stopped`)
  if (status === 'running' && !tool.spawn)
    return ends('the tool says that it is running, but it is not declared stateful')
  if (status === 'waiting' && !hasQuestions)
    return ends('the tool says that it is waiting, but it asks nothing')
  const questions = result.content.filter(isQuestion)
  if (questions.some(({ question }) => question.id === ''))
    return ends('a question without an id cannot be answered, so nothing was asked', '/content')
  if (hasQuestions && result.isError) return ends('questions of a failed call are not asked')
  if (hasQuestions && status === 'stopped')
    return ends('questions of a tool that says it has stopped are not asked')
  return { asks: hasQuestions, warnings: [] }
}

const AT_STATUS = appendPointer('/_meta', META_STATUS)

function ends(message: string, path = AT_STATUS): Envelope {
  return { asks: false, warnings: [{ path, message, code: 'odd-envelope' }] }
}

/** Also where its schema is none: that is said when it is asked. */
function isQuestion(block: ContentBlock): block is QuestionContent {
  return block.type === 'question'
}
