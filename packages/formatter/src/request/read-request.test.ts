import { expect, test } from 'vitest'
import { anthropicProfile } from '../model/profiles.ts'
import { readRequest } from './read-request.ts'
import type { ResultForModel, ModelMessage } from '../model/model-request.ts'

const rule = { marks: '_-', startsWithLetter: false, maxLength: 8 }
const call = (id: string) => ({ id, name: 'read', arguments: {} })
const createResult = (id: string, text = id): ResultForModel => ({
  call: { id, name: 'read' },
  result: { content: [{ type: 'text', text }], isError: false },
})
const asked = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: [],
  calls: ids.map(call),
})

function answers(...messages: ModelMessage[]) {
  const profile = { ...anthropicProfile, callIds: rule }
  const { turns, changes } = readRequest({ messages, tools: [] }, profile, {})
  return {
    answered: turns.flatMap((turn): unknown[] =>
      turn.role === 'assistant'
        ? turn.answered.map(({ id, result: { text } }) => [id, { text }])
        : [turn.role],
    ),
    codes: changes.map(({ code, path }) => `${code} ${path}`),
  }
}

test('results follow their calls directly, in the same order', () => {
  expect(
    answers(
      asked('a', 'b'),
      { role: 'tool', results: [createResult('b')] },
      { role: 'user', content: [] },
      { role: 'tool', results: [createResult('a')] },
    ),
  ).toMatchObject({ answered: [['a', { text: 'a' }], ['b', { text: 'b' }], 'user'], codes: [] })
})

test('a call without a result gets one that says so', () => {
  expect(answers(asked('a', 'b'), { role: 'tool', results: [createResult('b')] })).toMatchObject({
    answered: [
      ['a', { text: expect.stringContaining('unknown whether the call ran') }],
      ['b', { text: 'b' }],
    ],
    codes: ['result-missing /messages/0/calls/0'],
  })
})

test('a result without a call, or a second result, is omitted and reported', () => {
  expect(
    answers({ role: 'tool', results: [createResult('a')] }, asked('a'), {
      role: 'tool',
      results: [createResult('a'), createResult('a', 'again')],
    }),
  ).toMatchObject({
    answered: [['a', { text: 'a' }]],
    codes: [
      'result-without-call /messages/0/results/0',
      'result-without-call /messages/2/results/1',
    ],
  })
})

test('ids that are too long or repeated are changed, also in their results', () => {
  expect(
    answers(
      asked('call:12345'),
      { role: 'tool', results: [createResult('call:12345', 'one')] },
      asked('call:12345'),
      { role: 'tool', results: [createResult('call:12345', 'two')] },
    ),
  ).toMatchObject({
    answered: [
      ['call_123', { text: 'one' }],
      ['call_1_2', { text: 'two' }],
    ],
    codes: ['call-id-changed /messages/0/calls/0/id', 'call-id-changed /messages/2/calls/0/id'],
  })
})
