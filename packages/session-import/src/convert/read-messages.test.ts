import { expect, test } from 'vitest'
import { type ImportedPart, partsToEvents } from './read-messages.ts'

const says = (by: 'user' | 'assistant', text: string): ImportedPart => ({
  kind: 'said',
  by,
  block: { type: 'text', text },
})
const thinks = (text: string): ImportedPart => ({ kind: 'thought', text, raw: { thinking: text } })
const call: ImportedPart = { kind: 'call', call: { id: 'c', name: 'n', arguments: {} } }
const result: ImportedPart = { kind: 'result', result: { id: 'c', content: [], isError: true } }
const block = (text: string) => ({ type: 'text', text })

test('consecutive parts of one party without a call between them are one message', () => {
  expect(
    partsToEvents([
      says('user', 'a'),
      says('user', 'b'),
      says('assistant', 'c'),
      call,
      result,
      says('assistant', 'd'),
      { kind: 'configuration', values: { model: 'm' } },
    ]),
  ).toEqual([
    { type: 'user_message', content: [block('a'), block('b')] },
    { type: 'assistant_message', content: [block('c')] },
    { type: 'tool_call', call: call.call },
    { type: 'tool_result', result: result.result },
    { type: 'assistant_message', content: [block('d')] },
    { type: 'configuration', values: { model: 'm' } },
  ])
})

test('thoughts become the reasoning of a message, and keep the form of their provider', () => {
  expect(
    partsToEvents([thinks('hm'), says('assistant', 'a'), thinks('so'), says('assistant', 'b')]),
  ).toEqual([
    {
      type: 'assistant_message',
      content: [block('a'), block('b')],
      reasoning: 'hm\n\nso',
      _meta: { reasoning: [{ thinking: 'hm' }, { thinking: 'so' }] },
    },
  ])
})

test('keeps a thought without words, which gives no reasoning text', () => {
  expect(partsToEvents([thinks(''), says('assistant', 'a')])).toEqual([
    { type: 'assistant_message', content: [block('a')], _meta: { reasoning: [{ thinking: '' }] } },
  ])
})

test('adds other fields of a record to its first event', () => {
  expect(partsToEvents([says('user', 'a'), call], { cwd: '/' })).toEqual([
    { type: 'user_message', content: [block('a')], imported: { fields: { cwd: '/' } } },
    { type: 'tool_call', call: call.call },
  ])
  expect(partsToEvents([], { cwd: '/' })).toEqual([])
})
