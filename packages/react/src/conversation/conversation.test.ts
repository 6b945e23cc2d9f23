import { createElement as h, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Conversation, type ConversationProps, type ConversationMessage } from './conversation.ts'

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const render = (
  parts: readonly { type: string; [name: string]: unknown }[],
  props: Omit<ConversationProps, 'messages'> = {},
): string =>
  renderToStaticMarkup(
    h(Conversation, { messages: [{ id: '1', role: 'assistant', parts }], ...props }),
  )

const question = {
  type: 'data-question',
  data: {
    id: 'q1',
    callId: '1',
    tool: 'draw',
    request: { id: 'size', text: 'Which size?', schema: { enum: ['small', 'big'] } },
    blocks: [{ type: 'text', text: 'It has 12 lamps.' }],
    state: 'open',
  },
}

test.for<[string, { type: string; [name: string]: unknown }, readonly string[]]>([
  ['text', { type: 'text', text: 'a <b>' }, ['a &lt;b&gt;']],
  [
    'reasoning',
    { type: 'reasoning', text: 'because' },
    ['<summary>Reasoning</summary>', 'because'],
  ],
  [
    'reasoning that arrives',
    { type: 'reasoning', text: '', state: 'streaming' },
    ['<summary>Reasoning…</summary>'],
  ],
  [
    'a picture',
    { type: 'file', mediaType: 'image/png', url: PIXEL, filename: 'dot.png' },
    [`<img src="${PIXEL}" alt="dot.png"/>`],
  ],
  [
    'a file elsewhere, which is not fetched',
    { type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png' },
    ['<a href="https://example.com/a.png"'],
  ],
  [
    'a source',
    { type: 'source-url', sourceId: '1', url: 'https://example.com/', title: 'A page' },
    ['>A page</a>', 'https://example.com/'],
  ],
  [
    'a document',
    { type: 'source-document', sourceId: '1', title: 'A book', mediaType: 'application/pdf' },
    ['<strong>A book</strong>', 'application/pdf'],
  ],
  [
    'a question that nobody can answer here',
    question,
    ['<strong>draw</strong>', 'Which size?', 'open'],
  ],
  [
    'a call',
    { type: 'tool-x', toolCallId: '1', state: 'input-available', input: {} },
    ['running…'],
  ],
])('%s in a message is shown', ([, part, expected]) => {
  const markup = render([part])
  for (const text of expected) expect(markup).toContain(text)
})

test.for([
  { type: 'step-start' },
  { type: 'data-unknown', data: 1 },
  { type: 'text', text: 7 },
  { type: 'file', url: {} },
  { type: 'data-question', data: { state: 'open' } },
])('%j, which shows nothing, is left out', (part) => {
  expect(render([part])).toContain('aria-label="Assistant"></article>')
})

test('a question is asked with what the tool showed before it, if the page receives answers', () => {
  const markup = render([question], { onAnswer: () => {} })
  expect(markup).toContain('It has 12 lamps.')
  expect(markup).toContain('<legend>Which size?</legend>')
  const answered = { ...question, data: { ...question.data, state: 'answered' } }
  expect(render([answered], { onAnswer: () => {} })).not.toContain('<form')
})

test('a host shows its own types of parts, and instead of others', () => {
  const Own = ({ part }: { part: { type: string } }): ReactElement => h('b', null, part.type)
  const parts = { 'data-weather': Own, text: Own }
  const markup = render([{ type: 'data-weather' }, { type: 'text', text: 'a' }], { parts })
  expect(markup).toContain('<b>data-weather</b><b>text</b>')
})

test('every author and the whole list have names', () => {
  const messages = (['system', 'user', 'assistant'] as const).map((role) => ({
    id: role,
    role,
    parts: [],
  }))
  const markup = renderToStaticMarkup(h(Conversation, { messages, label: 'Chat' }))
  expect(markup.match(/aria-label="[^"]*"/g)).toEqual(
    ['Chat', 'System', 'You', 'Assistant'].map((name) => `aria-label="${name}"`),
  )
})

function createMessages(length: number): ConversationMessage[] {
  return Array.from({ length }, (_, index) => ({
    id: String(index),
    role: 'user' as const,
    parts: [{ type: 'text', text: `message ${index}.` }],
  }))
}

test('up to 200 messages, all are elements, which a search and a screen reader find', () => {
  const markup = renderToStaticMarkup(h(Conversation, { messages: createMessages(200) }))
  expect(markup.match(/<article/g)).toHaveLength(200)
})

test('of many messages, a server renders the first and the last ones', () => {
  const markup = renderToStaticMarkup(h(Conversation, { messages: createMessages(1000) }))
  for (const number of [0, 19, 960, 999]) expect(markup).toContain(`message ${number}.`)
  expect(markup.match(/<article/g)).toHaveLength(60)
  expect(markup.match(/data-messages="20"/g)).toHaveLength(47)
})
