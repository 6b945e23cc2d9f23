import { expect, test } from 'vitest'
import {
  type AnswerQuestion,
  type InquiryEvent,
  type InputRequest,
  type Problem,
  type QuestionContext,
} from '@toolblocks/protocol'
import { call, context, done, asking, question, text, makeTool } from '../inquiry.support.ts'
import { runInquiry } from '../run-inquiry.ts'
import { createAnswerPort } from './create-answer-port.ts'

const signal = new AbortController().signal
const request: InputRequest = {
  id: 'limit',
  text: 'How many?',
  schema: { type: 'integer', minimum: 1 },
  default: 5,
  url: 'https://example.com/limit',
}
const { url: _url, ...plain } = request

function port(...values: (number | string)[]) {
  const seen: [InputRequest, QuestionContext][] = []
  const rest = values.values()
  const answer: AnswerQuestion = async (asked, questionContext) => {
    seen.push([asked, questionContext])
    return { action: 'accept', value: rest.next().value ?? null }
  }
  return { seen, answer }
}

test('a port receives the complete question and context, and on a second attempt the problems of the first', async () => {
  const user = port(0, 3)
  const assistant = port(4)
  const events: InquiryEvent[] = []
  const warnings: Problem[] = []
  const answers = createAnswerPort({
    ports: { user: user.answer, assistant: assistant.answer },
    routes: { other: { target: { settings: { model: 'small' } } }, spare: { answer: 8 } },
    answers: { limit: 'wrong', spare: 9 },
    callId: 'call-7',
    record: (event) => void events.push(event),
    warn: (problem) => void warnings.push(problem),
  })
  const questionContext: QuestionContext = {
    blocks: [{ type: 'text', text: 'plan' }],
    after: [{ type: 'text', text: 'rest' }],
    source: { kind: 'handle', call, handle: 'h' },
    signal,
  }
  expect(await answers(request, questionContext)).toEqual({ action: 'accept', value: 3 })
  const userContext = { ...questionContext, shown: 0 }
  expect(user.seen).toEqual([
    [request, userContext],
    [
      request,
      {
        ...questionContext,
        shown: 1,
        after: [],
        problems: [
          expect.objectContaining({ path: '', message: 'expected a number >= 1, got number 0' }),
        ],
      },
    ],
  ])
  expect(warnings).toEqual([
    {
      path: '/questions/limit/answer',
      message: expect.stringContaining('the given answer to "limit" is invalid'),
      code: 'static-answer',
    },
  ])
  expect(await answers({ ...plain, id: 'other' }, questionContext)).toEqual({
    action: 'accept',
    value: 4,
  })
  expect(assistant.seen).toEqual([
    [
      { ...plain, id: 'other' },
      { ...questionContext, settings: { model: 'small' } },
    ],
  ])
  // An answer known in advance overrides the answer of its route.
  expect(await answers({ ...plain, id: 'spare' }, questionContext)).toEqual({
    action: 'accept',
    value: 9,
  })
  const put = (id: string, asked: string, more: object) => ({
    type: 'question',
    id,
    callId: 'call-7',
    question: { ...plain, ...more },
    asked,
  })
  const came = (id: string, settled: object) => ({
    type: 'answer',
    id,
    callId: 'call-7',
    ...settled,
  })
  expect(events).toEqual([
    put('call-7.limit.1', 'user', { url: request.url }),
    came('call-7.limit.1', { action: 'cancel', reason: 'wrong-answer' }),
    put('call-7.limit.2', 'user', { url: request.url }),
    came('call-7.limit.2', { action: 'accept', value: 3 }),
    put('call-7.other.1', 'assistant', { id: 'other' }),
    came('call-7.other.1', { action: 'accept', value: 4 }),
    put('call-7.spare.1', 'static', { id: 'spare' }),
    came('call-7.spare.1', { action: 'accept', value: 9 }),
  ])
})

test('an inquiry passes its ports, routes, options, answers and records on, and the rest of the context to the tool', async () => {
  const user = port(3)
  const assistant = port(4)
  const events: InquiryEvent[] = []
  const contexts: object[] = []
  const questions = ['user', 'model', 'known', 'static'].map((id) => question({ ...plain, id }))
  const tool = makeTool((answers) =>
    'user' in answers ? done : asking(text('plan'), ...questions),
  )
  const keepBytes = async () => ({ sha256: 'a'.repeat(64), bytes: 1 })
  const shared = {
    ...context,
    workspaceId: 'w-1',
    conversationId: 'c-1',
    keepBytes,
    onProgress: () => undefined,
  }
  const result = await runInquiry(
    {
      ...tool,
      execute: async (made, toolContext) => (
        contexts.push(toolContext),
        await tool.execute(made, toolContext)
      ),
    },
    call,
    {
      context: {
        ...shared,
        ask: { user: user.answer, assistant: assistant.answer },
        answers: { known: 6 },
      },
      routes: { model: { target: 'assistant' }, static: { answer: 7 } },
      options: { depth: 2 },
      record: (event) => void events.push(event),
    },
  )
  expect(result).toBe(done)
  const own = { ...shared, options: { depth: 2 }, ask: expect.any(Function) }
  expect(contexts).toEqual([
    { ...own, answers: {} },
    { ...own, answers: { user: 3, model: 4, known: 6, static: 7 } },
  ])
  expect([user.seen.length, assistant.seen.length]).toEqual([1, 1])
  expect(user.seen[0]?.[1]).toMatchObject({
    blocks: [text('plan')],
    source: { kind: 'question', call },
    signal: context.signal,
  })
  expect(events.map(({ id, callId }) => [id, callId])).toContainEqual(['call-1.static.1', 'call-1'])
})
