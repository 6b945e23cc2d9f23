import fc from 'fast-check'
import type { ContentBlock, Delivery, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { formatResult } from '../text/format-result.ts'
import { cutText, deliverResult, splitBudget } from './deliver-result.ts'
import { createDeliveryLedger } from './delivery-ledger.ts'

const NOTHING = createDeliveryLedger([])
const long = 'fn main() {}\n'.repeat(40)

function getIdentity(name: string, text: string) {
  return { uri: `file:///${name}`, sha256: name.padEnd(64, '0'), bytes: text.length }
}

function read(callId: string, files: Readonly<Record<string, string>>): ToolResult {
  const content = Object.entries(files).map(([name, text]): ContentBlock => {
    return { type: 'resource', resource: { uri: `file:///${name}`, text } }
  })
  const resources = Object.entries(files).map(([name, text]) => getIdentity(name, text))
  return { id: callId, content, isError: false, metadata: { outcome: 'completed', resources } }
}

test('the first delivery of a resource is complete, and is recorded', () => {
  const result = read('c1', { a: long })
  const { text, deliveries, wholeLength } = deliverResult(result, NOTHING, { turn: 1 })
  expect(text).toBe(formatResult(result))
  expect(wholeLength).toBe(text.length)
  expect(deliveries).toEqual([
    {
      callId: 'c1',
      block: 0,
      uri: 'file:///a',
      sha256: 'a'.padEnd(64, '0'),
      turn: 1,
      form: 'full',
      as: 'text',
    },
  ])
})

describe('a resource that was delivered before', () => {
  const before = deliverResult(read('c1', { a: long }), NOTHING, { turn: 1 }).deliveries
  const again = read('c2', { b: long, a: long })

  test('is one line that names the place; new content beside it is complete', () => {
    const ledger = createDeliveryLedger(before)
    const { text, deliveries, wholeLength } = deliverResult(again, ledger, { turn: 3 })
    expect(wholeLength).toBe(formatResult(again).length)
    expect(text).toBe(
      `${formatResult(read('c2', { b: long }))}\n\n[file:///a has not changed since block 1 of the result of call "c1" in turn 1, which has all of it (sha256 a00000000000…).]`,
    )
    expect(deliveries.map(({ form, turn }) => [form, turn])).toEqual([
      ['full', 3],
      ['reference', 3],
    ])
  })

  test('refers to the complete content, never to another reference', () => {
    const second = deliverResult(again, createDeliveryLedger(before), { turn: 3 }).deliveries
    const ledger = createDeliveryLedger([...before, ...second])
    expect(deliverResult(read('c3', { a: long }), ledger, { turn: 4 }).text).toContain('call "c1"')
  })

  test.for<[string, Parameters<typeof createDeliveryLedger>[1], object]>([
    ['it is too far back', { fromTurn: 2 }, {}],
    ['it is no longer in what the model gets', { isGone: ({ turn }) => turn === 1 }, {}],
    ['the tool or conversation is set so', {}, { deduplicate: false }],
    ['it is small', {}, { minBytes: long.length }],
  ])('is delivered again if %s', ([, ledger, options]) => {
    const delivered = deliverResult(again, createDeliveryLedger(before, ledger), {
      turn: 3,
      ...options,
    })
    expect(delivered.text).toBe(formatResult(again))
  })

  test.for<[string, Partial<Delivery>]>([
    ['was cut', { form: 'cut' }],
    ['was another content', { sha256: 'f'.repeat(64) }],
    ['was another resource', { uri: 'file:///c' }],
  ])('is delivered again if the delivered content %s', ([, change]) => {
    const ledger = createDeliveryLedger(before.map((delivery) => ({ ...delivery, ...change })))
    expect(deliverResult(again, ledger, { turn: 3 }).text).toBe(formatResult(again))
  })

  test('within one result, the second of the same refers to the first', () => {
    const { content, metadata, ...rest } = read('c1', { a: long })
    const twice = {
      ...rest,
      content: [...content, ...structuredClone(content)],
      metadata: { resources: [...(metadata?.resources ?? []), ...(metadata?.resources ?? [])] },
    }
    const { text, deliveries } = deliverResult(twice, NOTHING, { turn: 2 })
    expect(text).toContain('block 1 of the result of call "c1" in this turn')
    expect(deliveries.map(({ form }) => form)).toEqual(['full', 'reference'])
  })
})

describe('a budget', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}`).join('\n')
  const result = read('c1', { small: 'short', large: lines })

  test('cuts the largest block, at ends of lines, and says how to read the rest', () => {
    const { text, deliveries } = deliverResult(result, NOTHING, {
      turn: 1,
      budget: 1000,
      readTool: 'read_tool_result',
    })
    expect(text).toContain('```\nshort\n```')
    expect(text).toMatch(
      /```\nline 0\n[\s\S]*\nline \d+\n…\nline \d+\n[\s\S]*line 999\n```\n\n\[Above, \d+ of 8889 characters were left out at "…", in the middle\. The tool read_tool_result reads all of it: call "c1", block 2\.\]$/,
    )
    expect(deliveries.map(({ form }) => form)).toEqual(['full', 'cut'])
  })

  test('that is large enough changes nothing', () => {
    expect(deliverResult(result, NOTHING, { turn: 1, budget: 20_000 }).text).toBe(
      formatResult(result),
    )
  })

  test('names structured content that is too large', () => {
    const structured: ToolResult = { content: [], isError: false, structuredContent: { lines } }
    const { text } = deliverResult(structured, NOTHING, { turn: 1, budget: 100 })
    expect(text).toMatch(/^\[Structured content of \d+ characters was omitted\.\]$/)
  })

  test('cuts formatted text of a tool, and plain text', () => {
    const blocks: ToolResult = {
      id: 'c1',
      isError: false,
      content: [
        { type: 'resource', resource: { uri: 'x:a', text: '' }, formatted: lines },
        { type: 'text', text: lines },
      ],
    }
    const { text } = deliverResult(blocks, NOTHING, { turn: 1, budget: 2000 })
    expect(text.match(/characters were left out/g)).toHaveLength(2)
    expect(text.length).toBeLessThan(2400)
  })

  test('law: the delivered text is well-formed and little longer than the budget, for any text', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }), {
      maxLength: 6,
    })
    const law = fc.property(texts, fc.nat(400), (pieces, budget) => {
      const content = pieces.map((text): ContentBlock => ({ type: 'text', text }))
      const { text } = deliverResult({ id: 'c', content, isError: false }, NOTHING, {
        turn: 1,
        budget,
      })
      expect(text.isWellFormed()).toBe(true)
      expect(text.length).toBeLessThan(budget + 200 * (pieces.length + 2))
    })
    fc.assert(law)
  })
})

test('a text within the budget is unchanged', () => {
  expect(cutText('abc', 3)).toEqual({ text: 'abc', kept: 3 })
})

test('the middle is removed, at ends of lines if they are near', () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n')
  expect(cutText(text, 60).text).toBe(
    'line 0\nline 1\nline 2\nline 3\nline 4\n…\nline 27\nline 28\nline 29',
  )
})

test('a line longer than the budget is cut inside', () => {
  expect(cutText('x'.repeat(100), 10)).toEqual({ text: 'xxxxxx\n…\nxxxx', kept: 10 })
})

test('law: no character is split, and no more than the budget is kept', () => {
  const text = fc.string({ unit: fc.constantFrom('😀', 'a', '\n', 'é'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.nat(40), (original, limit) => {
      const cut = cutText(original, limit)
      expect(cut.text.isWellFormed()).toBe(true)
      expect(cut.kept).toBeLessThanOrEqual(Math.max(limit, 0))
    }),
  )
})

test.for([
  [[10, 20, 30], 60, Infinity],
  [[10, 20, 300], 60, 30],
  [[100, 100], 60, 30],
  [[], 0, Infinity],
  [[5], 0, 0],
] as const)('of %j with a budget of %i each keeps at most %i', ([lengths, budget, most]) => {
  expect(splitBudget(lengths, budget)).toBe(most)
})

test('law: everything fits, and as much as possible is kept', () => {
  const law = fc.property(fc.array(fc.nat(1000)), fc.nat(5000), (lengths, budget) => {
    const most = splitBudget(lengths, budget)
    const kept = lengths.reduce((sum, length) => sum + Math.min(length, most), 0)
    const all = lengths.reduce((sum, length) => sum + length, 0)
    expect(kept).toBeLessThanOrEqual(budget < all ? budget : all)
    expect(kept).toBeGreaterThan(Math.min(budget, all) - lengths.length - 1)
  })
  fc.assert(law)
})
