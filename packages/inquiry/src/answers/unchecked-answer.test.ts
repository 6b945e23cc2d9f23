import type { AnswerQuestion, AskPorts } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import type { QuestionRoute } from '../questions/routes.ts'
import { accept, ask, call, number } from './answer-port.support.ts'
import { createAnswerPort } from './create-answer-port.ts'

describe('an answer that cannot be checked', () => {
  const unchecked = { ...number, schema: { pattern: '^(?=a)' } }

  test('is accepted from a person who confirms it', async () => {
    const { answer, events } = await ask(unchecked, { user: ['b', true] })
    expect(answer).toEqual(accept('b'))
    expect(events[1]).toMatchObject({
      asked: 'user',
      question: {
        id: 'limit.unchecked',
        text: 'The answer to "How many?" could not be checked (the pattern cannot be checked in linear time: it has look-around). Use it anyway?',
        default: false,
      },
    })
    expect(events.map((event) => [event.type, event.id])).toEqual([
      ['question', 'c.limit.1'],
      ['question', 'c.limit.unchecked.1'],
      ['answer', 'c.limit.unchecked.1'],
      ['answer', 'c.limit.1'],
    ])
  })

  test('is asked for again from a person who does not confirm it', async () => {
    expect((await ask(unchecked, { user: ['b', false, 'c', true] })).answer).toEqual(accept('c'))
  })

  test('is not accepted if the confirmation fails or is cancelled', async () => {
    const answers = ['b', 'b', 'b'].values()
    const user: AnswerQuestion = async ({ id }) => {
      if (id === 'limit.unchecked') throw new Error('terminal gone')
      return accept(answers.next().value ?? null)
    }
    const answerPort = createAnswerPort({
      ports: { user },
      routes: {},
      callId: 'c',
      record: () => {},
      warn: () => {},
    })
    const source = { kind: 'question', call } as const
    const { signal } = new AbortController()
    expect(await answerPort(unchecked, { blocks: [], source, signal })).toMatchObject({
      action: 'cancel',
      reason: 'wrong-answer',
    })
  })

  test('is never accepted from a model', async () => {
    const route: QuestionRoute = { target: 'assistant' }
    const { answer } = await ask(unchecked, { route, assistant: ['a', 'a', 'a'] })
    expect(answer).toMatchObject({ action: 'cancel', reason: 'failed' })
  })
})

test.for<[string, QuestionRoute, AskPorts['user'], readonly string[]]>([
  ['a person', {}, async () => accept(3), ['question', 'asked', 'answer', 'over']],
  ['a static answer', { answer: 3 }, undefined, ['question', 'answer', 'over']],
  ['nobody', {}, undefined, ['question', 'answer', 'over']],
])('the record of %s is written before anything follows', async ([, route, user, order]) => {
  const seen: string[] = []
  const answerPort = createAnswerPort({
    ports: user
      ? {
          user: async (request, context) => {
            seen.push('asked')
            return await user(request, context)
          },
        }
      : {},
    routes: { limit: route },
    callId: 'c',
    record: async ({ type }) => {
      await new Promise((next) => setImmediate(next))
      seen.push(type)
    },
    warn: () => {},
  })
  const source = { kind: 'question', call } as const
  const { signal } = new AbortController()
  await answerPort(number, { blocks: [], source, signal })
  seen.push('over')
  expect(seen).toEqual(order)
})

test('a question of a call that was aborted before is not asked', async () => {
  let asked = 0
  const answerPort = createAnswerPort({
    ports: {
      user: async () => {
        asked += 1
        return accept(3)
      },
    },
    routes: {},
    callId: 'c',
    record: () => {},
    warn: () => {},
  })
  const source = { kind: 'question', call } as const
  const answer = await answerPort(number, { blocks: [], source, signal: AbortSignal.abort() })
  expect([answer, asked]).toEqual([{ action: 'cancel', reason: 'aborted' }, 0])
})
