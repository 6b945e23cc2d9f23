import { createSuccessResult, type ContentBlock } from '@toolblocks/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitResult } from './limit-result.ts'

const text = (length: number): ContentBlock => ({ type: 'text', text: 'x'.repeat(length) })

test('a result within the budget is returned as it is', () => {
  const result = { ...createSuccessResult([text(10), text(5)]), structuredContent: { a: 1 } }
  expect(limitResult(result, { budget: 15 })).toBe(result)
})

test('the largest texts are truncated first, and a text behind each says how to read it', () => {
  const image: ContentBlock = { type: 'image', data: 'A'.repeat(100), mimeType: 'image/png' }
  const file: ContentBlock = {
    type: 'resource',
    resource: { uri: 'file:///a', text: 'y'.repeat(50) },
  }
  const result = { ...createSuccessResult([text(5), image, file]), id: 'call-1' }
  const { content } = limitResult(result, { budget: 25, readTool: 'read_tool_result' })
  expect(content).toEqual([
    text(5),
    image,
    {
      type: 'resource',
      resource: { uri: 'file:///a', text: `${'y'.repeat(12)}\n…\n${'y'.repeat(8)}` },
    },
    {
      type: 'text',
      text: expect.stringContaining(
        '30 of 50 characters were left out at "…", in the middle. The tool read_tool_result reads all of it: call "call-1", block 3.',
      ),
    },
  ])
})

test('structured content over the budget is omitted beside blocks, and kept alone', () => {
  const large = { rows: 'z'.repeat(100) }
  const beside = { ...createSuccessResult([text(3)]), structuredContent: large }
  expect(limitResult(beside, { budget: 20 })).toEqual(createSuccessResult([text(3)]))
  const alone = { ...createSuccessResult([]), structuredContent: large }
  expect(limitResult(alone, { budget: 20 })).toBe(alone)
})

test('law: what remains of the texts is within the budget', () => {
  const lengths = fc.array(fc.nat({ max: 500 }), { maxLength: 6 })
  fc.assert(
    fc.property(lengths, fc.nat({ max: 1000 }), (given, budget) => {
      const { content } = limitResult(createSuccessResult(given.map(text)), { budget })
      const kept = content.map((block) => (block.type === 'text' ? block.text : ''))
      expect(kept.join('').replaceAll(/[^x]|\[Above.*?\]/gs, '').length).toBeLessThanOrEqual(budget)
    }),
  )
})
