import { expect, test } from 'vitest'
import type { AskPorts } from '@toolblocks/protocol'
import type { Route } from '../questions/routes.ts'
import { accept, call, number } from './answer-port.suite.ts'
import { createAnswerPort } from './create-answer-port.ts'

test.for<[string, Route, AskPorts['user'], readonly string[]]>([
  ['a person', {}, async () => accept(3), ['question', 'asked', 'answer', 'over']],
  ['a static answer', { answer: 3 }, undefined, ['question', 'answer', 'over']],
  ['nobody', {}, undefined, ['question', 'answer', 'over']],
])('what is recorded of %s is recorded before anything follows', async ([, route, user, order]) => {
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
