import assert from 'node:assert/strict'
import { selectQuestion, type ToolResult as Result } from '@toolblocks/protocol'
import { Conversation, type Message, ToolResult } from '@toolblocks/react'
import { createElement, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'

/** A component for a kind of the host's own. Its values are unchecked. */
function Weather({ value }: { value: { data?: unknown } }): ReactElement {
  return createElement('b', null, `It is ${String(value.data)}.`)
}

// A result of a tool. Its text is shown as text, whatever it contains.
const result: Result = {
  content: [{ type: 'text', text: 'Here <script>' }],
  structuredContent: { kind: 'my.weather', data: 'fine' },
  isError: false,
}
const renderers = { 'my.weather': Weather }
const html = renderToString(createElement(ToolResult, { result, renderers }))
assert.match(html, /Here &lt;script&gt;.*<b>It is fine\.<\/b>/)

// A conversation, for example the `messages` of `useChat`: a call that needs a decision, and a question.
const messages: Message[] = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Draw a dot.' }] },
  {
    id: '2',
    role: 'assistant',
    parts: [
      {
        type: 'tool-draw',
        toolCallId: 'call-1',
        state: 'approval-requested',
        input: { what: 'a dot' },
        approval: { id: 'approval-1' },
      },
      {
        type: 'data-question',
        data: {
          id: 'question-1',
          tool: 'draw',
          request: selectQuestion({ id: 'size', text: 'Which size?', options: ['small', 'big'] }),
          blocks: [],
          state: 'open',
        },
      },
    ],
  },
]
const chat = renderToString(
  createElement(Conversation, {
    messages,
    renderers,
    // `addToolApprovalResponse` of `useChat` takes this.
    onApproval: ({ id, approved }) => console.log(id, approved),
    // Sends the answer to your server, which checks it again.
    onAnswer: async (id, answer) => console.log(id, answer.action),
  }),
)
assert.match(chat, /Run draw\?.*a dot.*Allow this call.*Which size\?/)
