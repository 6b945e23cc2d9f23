import { isToolDescription } from '@toolblocks/protocol/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseToolDescriptions } from './parse-tool-descriptions.ts'

const toDocument = (...tools: unknown[]): string => JSON.stringify({ tools })

function makeTools(text: string): readonly unknown[] {
  const parsed = parseToolDescriptions(text)
  return parsed.ok ? parsed.tools : []
}

function getWarnings(text: string): readonly unknown[] {
  const parsed = parseToolDescriptions(text)
  return parsed.ok ? parsed.warnings.map(({ path, message }) => [path, message]) : []
}

describe('valid parts', () => {
  test('every field of a description is read, also unknown ones', () => {
    const tool = {
      name: 'check',
      title: 'Check',
      summary: 'Checks.',
      description: 'Long.',
      examples: '# Use',
      parameters: { package: { type: 'string', pattern: '^[a-z]', summary: 'Which.' } },
      inputSchema: { type: 'object' },
      outputSchema: true,
      annotations: { readOnlyHint: true },
      stateful: true,
      actions: ['spawn', 'fetch'],
      'x-own': [1],
    }
    expect(parseToolDescriptions(toDocument(tool))).toEqual({
      ok: true,
      tools: [tool],
      warnings: [],
    })
    expect(parseToolDescriptions(Buffer.from(`\uFEFF${toDocument(tool)}\n`))).toMatchObject({
      tools: [tool],
    })
  })

  test('null means absent at every depth; a default of null is kept if the type allows null, and otherwise makes the argument optional', () => {
    const tool = {
      name: 'a',
      title: null,
      inputSchema: null,
      parameters: {
        x: { type: 'string', summary: null, enum: null, items: null, default: null },
        y: { type: ['string', 'null'], default: null },
        z: { type: 'array', items: { type: 'integer', required: null, properties: null } },
        needed: { type: 'string', default: null, required: true },
        inner: { type: 'object', properties: { a: { type: 'integer', default: null } } },
        any: { default: null, summary: null },
        nothing: { type: 'null', default: null },
        either: { type: ['string', 'integer'], default: null, required: null },
        optional: { type: 'string', default: null, required: false },
      },
    }
    const parameters = {
      x: { type: 'string', required: false },
      y: { type: ['string', 'null'], default: null },
      z: { type: 'array', items: { type: 'integer' } },
      needed: { type: 'string', required: true },
      inner: { type: 'object', properties: { a: { type: 'integer', required: false } } },
      any: { default: null },
      nothing: { type: 'null', default: null },
      either: { type: ['string', 'integer'], required: false },
      optional: { type: 'string', required: false },
    }
    expect(parseToolDescriptions(toDocument(tool))).toEqual({
      ok: true,
      tools: [{ name: 'a', parameters }],
      warnings: [],
    })
    expect(makeTools(toDocument({ name: 'a', parameters: null }))).toEqual([{ name: 'a' }])
  })
})

describe('omitted parts', () => {
  test('an invalid entry does not affect the others', () => {
    const text = toDocument(
      'x',
      { name: 'a' },
      { name: '' },
      { name: 'b', parameters: { p: 1 } },
      { name: 'a' },
    )
    expect(makeTools(text)).toEqual([{ name: 'a' }])
    expect(getWarnings(text)).toEqual([
      ['/tools/0', 'The tool was omitted: its description needs an object, got string "x".'],
      ['/tools/2', 'The tool was omitted: its description needs a "name", got string "".'],
      [
        '/tools/3/parameters',
        'The tool was omitted: its description needs "parameters" that are objects by name (docs/protocol.md), got object with p.',
      ],
      ['/tools/4', 'The tool was omitted: its description needs a unique name, got "a".'],
    ])
  })

  test('a warning names the tool if the entry has a name', () => {
    const parsed = parseToolDescriptions(
      toDocument({ name: 'a', summary: 1 }, { summary: 'nameless' }, { name: 'b', parameters: 3 }),
    )
    const named = parsed.ok && parsed.warnings.map(({ path, tool }) => [path, tool])
    expect(named).toEqual([
      ['/tools/0/summary', 'a'],
      ['/tools/1', undefined],
      ['/tools/2/parameters', 'b'],
    ])
  })

  test('only a field of the wrong type is omitted', () => {
    const text = toDocument({ name: 'a', summary: 1, actions: ['fetch'], stateful: 'yes' })
    expect(makeTools(text)).toEqual([{ name: 'a' }])
    expect(getWarnings(text)).toHaveLength(3)
  })
})

test.for([
  ['', 'printed nothing'],
  [' \n', 'printed nothing'],
  ['usage: tool PATH', 'printed text that is not a JSON object'],
  ['[{"name":"a"}]', 'printed text that is not a JSON object'],
  ['{"content":[]}', 'printed a JSON object whose "tools" is nothing'],
  ['{"tools":{"a":{}}}', 'printed a JSON object whose "tools" is object with a'],
] as const)('%j is not a document of descriptions', ([text, message]) => {
  expect(parseToolDescriptions(text)).toEqual({ ok: false, problems: [{ path: '', message }] })
})

test('a document above a limit is refused', () => {
  const text = `{"content":[${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}]}`
  expect(parseToolDescriptions(text)).toEqual({
    ok: false,
    problems: [{ path: '', message: 'printed more than a description may contain' }],
  })
})

test('law: any output gives only valid descriptions', () => {
  const field = fc.constantFrom('name', 'parameters', 'actions', 'summary', 'inputSchema', 'x')
  const entry = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })))
  const law = fc.property(fc.array(entry), (tools) => {
    const parsed = parseToolDescriptions(toDocument(...tools))
    return parsed.ok && parsed.tools.every(isToolDescription)
  })
  fc.assert(law)
})
