import type { ModelRequest } from '@toolblocks/formatter'
import type { Answer, InputRequest, QuestionContext } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createModelAnswerer, type ModelAnswererOptions } from './answer-by-model.ts'
import type { Model } from './model.ts'

const { signal } = new AbortController()
const QUESTION: InputRequest = {
  id: 'branch',
  text: 'Which branch?',
  schema: { type: 'string', enum: ['main'] },
}
const CONTEXT: QuestionContext = {
  blocks: [{ type: 'text', text: 'Before it.' }],
  source: { kind: 'question', call: { id: 'c', name: 'merge', arguments: {} } },
  signal,
}

test('a question is a separate request with the conversation, the blocks and the schema; the settings of the route override those of the model', async () => {
  const asked: (readonly [ModelRequest, AbortSignal])[] = []
  const opened: unknown[] = []
  const answers: unknown[] = []
  const model: Model = async function* say(request, abortSignal) {
    asked.push([request, abortSignal])
    const calls = [{ id: 'a', name: 'answer', arguments: { answer: 'main' } }]
    yield { type: 'message', message: { role: 'assistant', content: [], calls } }
  }
  const parts: ModelAnswererOptions = {
    open: async (name) => {
      opened.push(name)
      return { ok: true, model }
    },
    messages: () => [{ role: 'user', content: [{ type: 'text', text: 'Of the chat.' }] }],
    settings: { instructions: 'Be brief.', maxOutputTokens: 9 },
    onAnswer: (request, answer) => void answers.push([request, answer]),
  }
  const settings = { name: 'small', instructions: 'Be careful.' }
  const answer = createModelAnswerer(parts)
  const accepted: Answer = { action: 'accept', value: 'main' }
  expect(await answer(QUESTION, { ...CONTEXT, settings })).toEqual(accepted)
  expect(await answer(QUESTION, CONTEXT)).toEqual(accepted)
  expect(opened).toEqual(['small', undefined])
  expect(answers).toEqual([
    [QUESTION, accepted],
    [QUESTION, accepted],
  ])
  const request = {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Of the chat.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Before it.' },
          { type: 'text', text: expect.stringContaining('Which branch?') },
          { type: 'text', text: 'Call "answer" with your answer.' },
        ],
      },
    ],
    tools: [
      {
        name: 'answer',
        description: 'Answers the question of the tool.',
        inputSchema: expect.objectContaining({ properties: { answer: QUESTION.schema } }),
      },
    ],
    toolChoice: 'required',
    maxOutputTokens: 9,
  }
  expect(asked.map(([modelRequest]) => modelRequest)).toEqual([
    { ...request, instructions: 'Be careful.' },
    { ...request, instructions: 'Be brief.' },
  ])
  expect(asked.every(([, abortSignal]) => abortSignal === signal)).toBe(true)
})

test('if a model cannot be opened, the question gets no answer, and the message says why', async () => {
  const answer = createModelAnswerer({
    open: async () => ({ ok: false, message: 'no [model] is configured' }),
    messages: () => [],
    settings: {},
  })
  expect(await answer(QUESTION, CONTEXT)).toEqual({
    action: 'cancel',
    reason: 'nobody',
    message: 'no [model] is configured',
  })
})

test.for(['{"answer":"main"}', '```json\n{"answer":"main"}\n```'])(
  'a model that makes no call may have written %j',
  async (text) => {
    const model: Model = async function* say() {
      const content = [{ type: 'text', text }] as const
      yield { type: 'message', message: { role: 'assistant', content, calls: [] } }
    }
    const answer = createModelAnswerer({
      open: async () => ({ ok: true, model }),
      messages: () => [],
      settings: {},
    })
    expect(await answer(QUESTION, CONTEXT)).toEqual({ action: 'accept', value: 'main' })
  },
)

test('an answer in a truncated message is not used, and the model is asked again', async () => {
  let asked = 0
  const model: Model = async function* say() {
    asked += 1
    const calls = [{ id: 'a', name: 'answer', arguments: { answer: 'main' } }]
    const message = { role: 'assistant', content: [], calls } as const
    yield { type: 'message', message, ...(asked === 1 && { cut: 'tokens' as const }) }
  }
  const answer = createModelAnswerer({
    open: async () => ({ ok: true, model }),
    messages: () => [],
    settings: {},
  })
  expect(await answer(QUESTION, CONTEXT)).toEqual({ action: 'accept', value: 'main' })
  expect(asked).toBe(2)
})

test('the answer is given only after the host has taken it', async () => {
  const order: string[] = []
  const answer = createModelAnswerer({
    open: async () => ({
      ok: true,
      model: async function* say() {
        const calls = [{ id: 'a', name: 'answer', arguments: { answer: 'main' } }]
        yield { type: 'message', message: { role: 'assistant', content: [], calls } }
      },
    }),
    onAnswer: async () => {
      await new Promise(setImmediate)
      order.push('taken')
    },
  })
  await answer(QUESTION, CONTEXT)
  expect([...order, 'given']).toEqual(['taken', 'given'])
})
