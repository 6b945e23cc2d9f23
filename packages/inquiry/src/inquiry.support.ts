import {
  booleanQuestion,
  createSuccessResult,
  type Answer,
  type AnswerQuestion,
  type Answers,
  type CallContext,
  type ContentBlock,
  type InputRequest,
  type QuestionContext,
  type Tool,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { runInquiry, type InquiryOptions } from './run-inquiry.ts'

export const call: ToolCall = { id: 'call-1', name: 'edit', arguments: {} }
export const context: CallContext = { signal: new AbortController().signal, root: '/home/ada' }
export const text = (value: string): ContentBlock => ({ type: 'text', text: value })
export const question = (request: InputRequest): ContentBlock => ({
  type: 'question',
  question: request,
})
export const confirm = (id: string, sentence = `${id}?`): ContentBlock =>
  question(booleanQuestion({ id, text: sentence }))
export const asking = (...content: ContentBlock[]): ToolResult => createSuccessResult(content)
export const done = asking(text('done'))

/** A tool that returns its answers. */
export function makeTool(
  respond: (answers: Answers) => ToolResult,
  extra: Partial<Tool> = {},
): Tool & { runs: Answers[] } {
  const runs: Answers[] = []
  return {
    name: 'edit',
    inputSchema: true,
    execute: async (_call, { answers }) => {
      runs.push(answers)
      return respond(answers)
    },
    ...extra,
    runs,
  }
}

/** A person who gives these answers in order, and the questions they were shown. */
export function person(
  ...answers: (Answer | boolean)[]
): AnswerQuestion & { asked: [InputRequest, QuestionContext][] } {
  const rest = answers.values()
  const asked: [InputRequest, QuestionContext][] = []
  const port: AnswerQuestion = async (request, seen) => {
    asked.push([request, seen])
    const next = rest.next().value ?? { action: 'decline' }
    return typeof next === 'boolean' ? { action: 'accept', value: next } : next
  }
  return Object.assign(port, { asked })
}

export const getWords = (result: ToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

export const run = (
  tool: Tool,
  user?: AnswerQuestion,
  extra: Partial<InquiryOptions> = {},
): Promise<ToolResult> =>
  runInquiry(tool, call, { context: { ...context, ...(user && { ask: { user } }) }, ...extra })
