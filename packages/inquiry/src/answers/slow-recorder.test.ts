import {
  type Answer,
  type AskPorts,
  type InputRequest,
  type InquiryEvent,
  type QuestionContext,
} from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import type { QuestionRoute } from '../questions/routes.ts'
import { number as limit } from './answer-port.support.ts'
import { createAnswerPort } from './create-answer-port.ts'

/** Its answer cannot be checked, so a person confirms it. */
const unchecked: InputRequest = { ...limit, schema: { pattern: '^(?=a)' } }
const context: QuestionContext = {
  blocks: [],
  source: { kind: 'question', call: { id: 'c', name: 't', arguments: {} } },
  signal: new AbortController().signal,
}

/** Asks with a recorder that takes its time, and returns what happened in which order. */
async function askSlowly(
  request: InputRequest,
  { answers = [], route }: { answers?: Answer[]; route?: QuestionRoute },
  record: (event: InquiryEvent) => void = () => {},
): Promise<readonly string[]> {
  const order: string[] = []
  const user: AskPorts['user'] = async ({ id }) => {
    order.push(`ask ${id}`)
    return answers.shift() ?? { action: 'decline' }
  }
  const port = createAnswerPort({
    ports: answers.length === 0 ? {} : { user },
    routes: route ? { [request.id]: route } : {},
    callId: 'c',
    record: async (event) => {
      order.push(`${event.type} comes`)
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
      record(event)
      order.push(`${event.type} is recorded`)
    },
    warn: () => {},
  })
  const { action } = await port(request, context)
  return [...order, action]
}

const QUESTION = ['question comes', 'question is recorded']
const ANSWER = ['answer comes', 'answer is recorded']
const accept = (value: number | string | boolean): Answer => ({ action: 'accept', value })

test.for<[string, InputRequest, Parameters<typeof askSlowly>[1], readonly string[]]>([
  ['of a person', limit, { answers: [accept(3)] }, [...QUESTION, 'ask limit', ...ANSWER, 'accept']],
  [
    'of the second attempt',
    limit,
    { answers: [accept(0), accept(3)] },
    [...QUESTION, 'ask limit', ...ANSWER, ...QUESTION, 'ask limit', ...ANSWER, 'accept'],
  ],
  ['of the configuration', limit, { route: { answer: 3 } }, [...QUESTION, ...ANSWER, 'accept']],
  ['of nobody', limit, {}, [...QUESTION, ...ANSWER, 'cancel']],
  [
    'of a person who confirms it',
    unchecked,
    { answers: [accept('b'), accept(true)] },
    [...QUESTION, 'ask limit', ...QUESTION, 'ask limit.unchecked', ...ANSWER, ...ANSWER, 'accept'],
  ],
])(
  'a question and the answer %s are recorded before anything depends on them',
  async ([, request, asked, expected]) => {
    expect(await askSlowly(request, asked)).toEqual(expected)
  },
)

test.for<[InquiryEvent['type'], Parameters<typeof askSlowly>[1]]>([
  ['question', { answers: [accept(3)] }],
  ['answer', { answers: [accept(3)] }],
  ['answer', { answers: [accept(0), accept(3)] }],
  ['answer', { route: { answer: 3 } }],
  ['answer', {}],
])('if the %s cannot be recorded, asking rejects: %o', async ([type, asked]) => {
  const refuse = (event: InquiryEvent): void => {
    if (event.type === type) throw new Error('disk full')
  }
  await expect(askSlowly(limit, asked, refuse)).rejects.toThrow('disk full')
})
