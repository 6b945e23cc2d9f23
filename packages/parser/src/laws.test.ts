import { isContentBlock, isToolResult } from '@toolblocks/protocol'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseContentBlock, parseToolOutput, parseToolResult } from './index.ts'

const many = { numRuns: 500 }
const anyText = fc.string({ unit: 'binary', maxLength: 30 })
const base64 = fc
  .uint8Array({ maxLength: 20 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
/** JSON as `JSON.parse` returns it: no minus zero, no `__proto__`. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): unknown => JSON.parse(JSON.stringify(value).replaceAll('__proto__', 'proto')))
const annotations = fc.record(
  {
    audience: fc.array(fc.constantFrom('user', 'assistant')),
    priority: fc.constantFrom(0, 0.5, 1),
    lastModified: fc.constant('2026-11-21T08:00:00Z'),
  },
  { requiredKeys: [] },
)
const unknownFields = fc.dictionary(fc.constantFrom('x', 'y/z', 'toString', ''), json, {
  maxKeys: 3,
})
const extras = fc
  .record({ annotations, _meta: unknownFields }, { requiredKeys: [] })
  .chain((known) => unknownFields.map((unknown) => ({ ...unknown, ...known })))

const block = fc
  .oneof(
    fc.record({ type: fc.constant('text'), text: anyText }),
    fc.record({ type: fc.constant('image'), data: base64, mimeType: anyText.filter(Boolean) }),
    fc.record({ type: fc.constant('audio'), data: base64, mimeType: fc.constant('audio/wav') }),
    fc.record({
      type: fc.constant('resource'),
      resource: fc.record({ uri: anyText, text: anyText }),
    }),
    fc.record({
      type: fc.constant('resource'),
      resource: fc.record({ uri: anyText, blob: base64, name: anyText }),
      formatted: anyText,
    }),
    fc.record({
      type: fc.constant('question'),
      question: fc.record({
        id: fc.uuid(),
        text: anyText,
        schema: fc.constantFrom(true, { type: 'string' }),
      }),
    }),
  )
  .chain((plain) => extras.map((more) => ({ ...more, ...plain })))

const document = fc
  .record(
    {
      content: fc.array(block, { maxLength: 5 }),
      isError: fc.boolean(),
      structuredContent: json,
      _meta: unknownFields,
    },
    { requiredKeys: ['content', 'isError'] },
  )
  .chain((known) => unknownFields.map((unknown) => ({ ...unknown, ...known })))

/** Broken documents: random concatenations of parts of real ones. */
const fragments = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{"content":[',
        '{"type":"text","text":',
        '"',
        ']}',
        '}',
        ',',
        '\\',
        '\uFEFF',
      ),
      fc.constantFrom('"__proto__":', '"metadata":{', '"isError":"true"', '1e999', '\u2028', ' \n'),
      fc.constantFrom('{"type":"image","data":"QQ', '"resource":{"uri":', '"blob":null', '['),
      anyText,
      document.map((value) => JSON.stringify(value)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

test('law: any bytes give a ToolResult, and raw text equals the decoded bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fragments.map((text) => new TextEncoder().encode(text)),
    fragments.map((text) => Buffer.from(text, 'utf16le')),
  )
  fc.assert(
    fc.property(bytes, (output) => {
      const { result, format, warnings } = parseToolOutput(output)
      expect(isToolResult(result)).toBe(true)
      if (format !== 'raw' || warnings.some(({ code }) => code === 'utf-16')) return
      expect(result.content).toEqual([{ type: 'text', text: new TextDecoder().decode(output) }])
    }),
    many,
  )
})

test('law: any text gives a ToolResult, and raw text equals the input', () => {
  fc.assert(
    fc.property(fragments, fc.constantFrom('blocks', 'outcome'), (output, dialect) => {
      const { result, format, reversible, warnings } = parseToolOutput(output, { dialect })
      expect(isToolResult(result)).toBe(true)
      expect(reversible && (format === 'raw' || warnings.length > 0)).toBe(false)
      if (format !== 'raw') return
      expect(result.content).toEqual([{ type: 'text', text: output }])
    }),
    many,
  )
})

test('law: any value gives a ToolResult and is not changed', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
    key: fc.constantFrom(
      'content',
      'type',
      'text',
      'isError',
      '_meta',
      'resource',
      '__proto__',
      'x',
    ),
  })
  fc.assert(
    fc.property(anything, fc.constantFrom('mcp', 'tool'), (value, from) => {
      const before = fc.stringify(value)
      for (const source of [
        value,
        { content: value },
        { content: [value], structuredContent: value },
      ]) {
        const parsed = parseToolResult(source, { from })
        const result = 'result' in parsed ? parsed.result : undefined
        expect(result === undefined || isToolResult(result)).toBe(true)
        expect(result && JSON.parse(JSON.stringify(result))).toEqual(result)
      }
      const { block: read } = parseContentBlock(value, { from })
      expect(read === undefined || isContentBlock(read)).toBe(true)
      expect(fc.stringify(value)).toBe(before)
    }),
    many,
  )
})

test('law: a valid document is returned completely, with its order and unknown fields, without a warning', () => {
  fc.assert(
    fc.property(document, (value) => {
      const { result, warnings, format } = parseToolOutput(JSON.stringify(value))
      expect(result).toEqual(value)
      expect(warnings).toEqual([])
      expect(format).toBe('blocks')
      expect(parseToolResult(value, { from: 'tool' }).result).toEqual(value)
    }),
    many,
  )
})

test('law: a result is unchanged after it is printed and read again', () => {
  fc.assert(
    fc.property(fragments, fc.array(fc.oneof(block, json)), (text, content) => {
      for (const output of [text, JSON.stringify({ content })]) {
        const { result } = parseToolOutput(output)
        expect(parseToolOutput(JSON.stringify(result)).result.content).toEqual(result.content)
      }
    }),
    many,
  )
})

test('law: each invalid block causes one warning and no other change', () => {
  const junk = fc.oneof(
    fc.constantFrom(null, [], {}, { type: 'video' }, { type: 'text' }),
    fc.constantFrom(
      { type: 'resource', resource: {} },
      { type: 'image', data: '?', mimeType: 'a' },
    ),
    fc.constantFrom({ type: 'question', question: { id: 'a' } }, { type: 'resource_link' }),
  )
  const item = fc.oneof(
    block.map((value) => ({ value, isGood: true })),
    junk.map((value) => ({ value, isGood: false })),
  )
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), (items) => {
      const output = JSON.stringify({ content: items.map(({ value }) => value) })
      const { result, warnings } = parseToolOutput(output)
      expect(result.content).toEqual(items.flatMap(({ value, isGood }) => (isGood ? [value] : [])))
      expect(warnings.map(({ path }) => path)).toEqual(
        items.flatMap(({ isGood }, index) => (isGood ? [] : [`/content/${index}`])),
      )
    }),
    many,
  )
})

test('law: one field with any value removes at most its block', () => {
  const wrong = fc.oneof(json, fc.constantFrom(null, '', -1, [], {}))
  fc.assert(
    fc.property(
      fc.array(block, { minLength: 1, maxLength: 4 }),
      fc.nat(),
      wrong,
      (blocks, seed, value) => {
        const position = seed % blocks.length
        const target = blocks[position] ?? {}
        const keys = Object.keys(target)
        const key = keys[seed % keys.length] ?? 'type'
        const content = blocks.with(position, {
          ...target,
          [key]: value,
        } as (typeof blocks)[number])
        const { result, warnings } = parseToolOutput(JSON.stringify({ content }))
        const skipped = warnings.some(({ path }) => path === `/content/${position}`)
        const others = result.content.filter((_, index) => skipped || index !== position)
        expect(others).toEqual(blocks.filter((_, index) => index !== position))
        expect(warnings.every(({ path }) => path.startsWith(`/content/${position}`))).toBe(true)
      },
    ),
    many,
  )
})

test('law: no key changes a prototype', () => {
  const key = fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'content',
    'type',
    'text',
    '_meta',
  )
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('"text"', '1', 'true', 'null', '"resource"'),
      fc.array(tie('node'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
      fc
        .array(fc.tuple(key, tie('node')), { maxLength: 4 })
        .map((fields) => `{${fields.map(([name, value]) => `"${name}":${value}`).join()}}`),
    ),
  }))
  const before = Object.getOwnPropertyNames(Object.prototype)
  fc.assert(
    fc.property(node, node, (inside, around) => {
      const output = `{"__proto__":${around},"content":[${inside},{"type":"text","text":"a","_meta":${around}}],"x":${inside}}`
      const { result } = parseToolOutput(output)
      expect(hasOddObjects(result)).toBe(false)
      expect(result.isError).toBe(false)
      const { result: ofValue } = parseToolResult(JSON.parse(output), { from: 'tool' })
      expect(hasOddObjects(ofValue)).toBe(false)
    }),
    many,
  )
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
})

function hasOddObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  const isOdd = prototype !== (Array.isArray(value) ? Array.prototype : Object.prototype)
  return isOdd || Object.hasOwn(value, '__proto__') || Object.values(value).some(hasOddObjects)
}
