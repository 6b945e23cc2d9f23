import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { createDeliveryLedger } from '../deliver/delivery-ledger.ts'
import { deliverResult } from '../deliver/deliver-result.ts'
import { limitResult } from '../deliver/limit-result.ts'
import { anthropicProfile } from '../model/profiles.ts'
import { toModelParts } from '../media/to-model-parts.ts'
import { formatResult } from './format-result.ts'

const DATA = {
  items: [
    { id: 1, body: 'x'.repeat(500) },
    { id: 2, body: 'y' },
  ],
  total: 2,
}
const SELECTED = '{"items":[{"id":1},{"id":2}]}'
const NOTE =
  '[Above are only selected parts of the data. The tool read_tool_result reads the rest: call "c1", path such as "/items/0".]'

function makeResult(fields: Partial<ToolResult>): ToolResult {
  return { id: 'c1', content: [], isError: false, metadata: { select: ['/items/*/id'] }, ...fields }
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value })
const LEDGER = createDeliveryLedger([])
const readTool = 'read_tool_result'

test('a model gets the selected parts of the JSON in the only text, and how the rest is read', () => {
  const result = makeResult({ content: [text(JSON.stringify(DATA, null, 2))] })
  const delivered = deliverResult(result, LEDGER, { turn: 1, readTool })
  expect(delivered.text).toBe(`${SELECTED}\n\n${NOTE}`)
  expect(formatResult(result)).toBe(
    `${SELECTED}\n\n[Above are only selected parts of the data. No tool reads the rest.]`,
  )
})

test('a client gets them as blocks and as structured content', () => {
  const result = makeResult({ content: [text(JSON.stringify(DATA))], structuredContent: DATA })
  const limited = limitResult(result, { budget: Infinity, readTool })
  expect(limited.content).toEqual([text(SELECTED), text(NOTE)])
  expect(limited.structuredContent).toEqual(JSON.parse(SELECTED))
  expect(result.structuredContent).toBe(DATA)
})

test('texts that do not repeat the data stay', () => {
  const result = makeResult({ content: [text('Two issues.')], structuredContent: DATA })
  expect(limitResult(result, { budget: 1000, readTool }).content).toEqual([
    text('Two issues.'),
    text(NOTE),
  ])
  expect(deliverResult(result, LEDGER, { turn: 1, readTool }).text).toContain(SELECTED)
})

test('texts that repeat the data item by item are replaced together', () => {
  const content = [text(JSON.stringify(DATA.items[0])), text(JSON.stringify(DATA.items[1]))]
  const result = makeResult({
    content,
    structuredContent: { result: DATA.items },
    metadata: { select: ['/result/*/id'] },
  })
  const delivered = deliverResult(result, LEDGER, { turn: 1, readTool }).text
  expect(delivered).not.toContain('xxx')
  expect(limitResult(result, { budget: 1000, readTool }).content).toEqual([
    text('{"result":[{"id":1},{"id":2}]}'),
    text(NOTE.replace('items', 'result')),
  ])
})

test('media stay beside them, under the numbers of their blocks', () => {
  const image: ContentBlock = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
  const result = makeResult({ content: [text(JSON.stringify(DATA)), image] })
  const { text: whole } = toModelParts(result, anthropicProfile)
  expect(whole).toContain(`${SELECTED}\n\n[block 2, image`)
})

test.for([
  ['an error', { isError: true }],
  ['a result without the selected parts', { metadata: { select: ['/none'] } }],
  ['a result of which everything is selected', { metadata: { select: [''] } }],
  ['a result without a selection', { metadata: {} }],
] as const)('%s is given whole', ([, fields]) => {
  const result = makeResult({ content: [text(JSON.stringify(DATA))], ...fields })
  expect(formatResult(result)).toContain(JSON.stringify(DATA))
  expect(limitResult(result, { budget: 1000 })).toBe(result)
})

test('selected parts over the budget are truncated, too', () => {
  const result = makeResult({
    content: [text(JSON.stringify(DATA))],
    metadata: { select: ['/items'] },
  })
  const { content } = limitResult(result, { budget: 100, readTool })
  expect(content).toHaveLength(3)
  expect(JSON.stringify(content[1])).toContain('characters were left out')
  expect(content[2]).toEqual(text(NOTE.replace('"/items/0"', '""')))
})
