import type { ToolResult } from '@toolblocks/protocol'
import type { DynamicToolUIPart, ToolUIPart, UIMessage } from 'ai'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, expectTypeOf, test } from 'vitest'
import type { ConversationMessage } from './conversation.ts'
import { isToolPart, ToolPart, type ToolPartData, type ToolPartProps } from './tool-part.ts'

const input = { path: 'notes.txt' }
const output: ToolResult = { content: [{ type: 'text', text: '12 lines' }], isError: false }
const CALL = { type: 'tool-count', toolCallId: '1' } as const

const render = (part: ToolPartData, props: Omit<ToolPartProps, 'part'> = {}): string =>
  renderToStaticMarkup(h(ToolPart, { part, ...props }))

test('the tool parts and the messages of the AI SDK fit', () => {
  expectTypeOf<ToolUIPart>().toExtend<ToolPartData>()
  expectTypeOf<DynamicToolUIPart>().toExtend<ToolPartData>()
  expectTypeOf<UIMessage>().toExtend<ConversationMessage>()
})

test.for<[string, Omit<ToolPartData, 'type' | 'toolCallId'>, readonly string[]]>([
  [
    'arguments that arrive',
    { state: 'input-streaming', rawInput: '{"path": "no' },
    ['arguments arrive…', '{&quot;path&quot;: &quot;no'],
  ],
  [
    'arguments that arrive, without their text',
    { state: 'input-streaming', input: { path: 'n' } },
    ['&quot;path&quot;: &quot;n&quot;'],
  ],
  ['a call that runs', { state: 'input-available', input }, ['running…', 'notes.txt']],
  [
    'output before the last one',
    {
      state: 'output-available',
      input,
      preliminary: true,
      output: { ...output, metadata: { progress: { progress: 1, total: 2, message: 'half' } } },
    },
    ['running…', '12 lines', '<progress value="1" max="2"', 'half'],
  ],
  [
    'a call that waits for a decision',
    { state: 'approval-requested', input, approval: { id: 'a' } },
    ['waits for a decision', 'notes.txt'],
  ],
  [
    'an allowed call',
    { state: 'approval-responded', input, approval: { id: 'a', approved: true } },
    ['allowed, running…'],
  ],
  [
    'a denied call, before the model knows',
    { state: 'approval-responded', input, approval: { id: 'a', approved: false, reason: 'No.' } },
    ['denied', 'Reason: No.'],
  ],
  [
    'a denied call',
    { state: 'output-denied', input, approval: { id: 'a', approved: false, reason: 'No.' } },
    ['denied', 'Reason: No.'],
  ],
  ['a result', { state: 'output-available', input, output }, ['done', '12 lines']],
  [
    'a failed result',
    { state: 'output-available', input, output: { ...output, isError: true } },
    ['failed', 'data-outcome="error"'],
  ],
  [
    'the output of another tool',
    { state: 'output-available', input, output: { a: 1 } },
    ['&quot;a&quot;: 1'],
  ],
  ['text of another tool', { state: 'output-available', input, output: 'so' }, ['<pre>so</pre>']],
  [
    'an error',
    { state: 'output-error', input, errorText: 'It is <broken>.' },
    ['failed', 'It is &lt;broken&gt;.'],
  ],
])('%s is shown', ([, part, expected]) => {
  const markup = render({ ...CALL, ...part })
  for (const text of ['<strong>count</strong>', `data-state="${part.state}"`, ...expected])
    expect(markup).toContain(text)
})

test.for<[string, Omit<ToolPartData, 'type' | 'toolCallId'>]>([
  ['an error', { state: 'output-error', errorText: 'no lamp' }],
  ['a result', { state: 'output-available', output: 'a lamp' }],
])('%s is shown with the components of the host', ([, part]) => {
  const blocks = { text: () => h('b', null, 'of the host') }
  expect(render({ ...CALL, ...part }, { blocks })).toContain('<b>of the host</b>')
})

test('a dynamic part has the name of its tool; a title is beside it', () => {
  const part = { type: 'dynamic-tool', toolCallId: '1', state: 'input-available' } as const
  expect(render({ ...part, toolName: 'fs.read' })).toContain('<strong>fs.read</strong>')
  expect(render({ ...part, toolName: 'fs.read', title: 'Read' })).toContain(
    '<strong>Read</strong><code>fs.read</code>',
  )
})

test('only a page that receives decisions asks for one, with every argument', () => {
  const part: ToolPartData = {
    ...CALL,
    state: 'approval-requested',
    input: { path: 'n'.repeat(5000) },
    approval: { id: 'a', requestReason: 'It would write\ntwo lines.' },
  }
  expect(render(part)).not.toContain('<button')
  const markup = render(part, { onApproval: () => {} })
  expect(markup).toContain('Allow this call')
  expect(markup).toContain('It would write\ntwo lines.')
  expect(markup).toContain('n'.repeat(5000))
})

test('only a complete tool part is one', () => {
  expect(isToolPart({ ...CALL, state: 'input-available' } as { type: string })).toBe(true)
  expect(isToolPart({ ...CALL, state: 'other' } as { type: string })).toBe(false)
  expect(isToolPart({ type: 'tool-x' })).toBe(false)
  expect(isToolPart({ type: 'text' })).toBe(false)
})
