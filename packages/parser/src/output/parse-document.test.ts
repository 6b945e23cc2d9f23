import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseToolOutput } from '../parse-tool-output.ts'

const getCodes = (text: string): readonly (string | undefined)[] =>
  parseToolOutput(text).warnings.map(({ code }) => code)

describe('JSON that was certainly meant as a result is raw text with a warning', () => {
  test.for([
    '{"content":"text"}\n',
    '{"isError":true,"content":"boom"}',
    '{"content":{"type":"text","text":"a"}}',
    '{"isError":true}',
    '{"isError":false,"content":null}',
    '{"structuredContent":{"a":1}}',
    '{"structuredContent":null,"_meta":{}}',
    '[{"type":"text","text":"a"}]',
    ' [\n  {"type":"image","data":"AAAA","mimeType":"image/png"},\n  {"type":"text","text":""}]\n',
  ])('%s', (text) => {
    const { result, format, warnings } = parseToolOutput(text)
    expect([format, result.content, result.isError]).toEqual([
      'raw',
      [{ type: 'text', text }],
      false,
    ])
    expect(warnings).toHaveLength(1)
    expect(result.metadata?.warnings).toEqual(warnings)
    expect(warnings[0]?.code).toBe('missing-content')
  })
})

describe('other JSON has no warning', () => {
  test.for([
    '{"content":3,"id":1}',
    '{"content":"hello","id":"m1"}',
    '{"content":3}',
    '{"content":null,"id":1}',
    '{"content":{"a":1}}',
    '{"isError":"maybe"}',
    '{"_meta":{}}',
    '{}',
    '[]',
    '[1]',
    '["text"]',
    '[{"type":"text"}]',
    '[{"type":"event","text":"a"}]',
    '[{"type":"text","text":"a"},{"id":1}]',
    '[{"type":"text","text":"a"}',
    '{"__proto__":{"content":"a"}}',
    '"content"',
  ])('%s', (text) => {
    expect(getCodes(text)).toEqual([])
  })

  test('JSON of an API with a field of its own has no warning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (content, own, key) => {
        fc.pre(!['content', 'isError', 'structuredContent', '_meta', 'metadata'].includes(key))
        const text = JSON.stringify({ [key]: own, content, isError: true })
        fc.pre(!Array.isArray(content))
        expect(getCodes(text)).not.toContain('missing-content')
      }),
    )
  })
})

test('the same in the older format', () => {
  const codes = (text: string): unknown =>
    parseToolOutput(text, { dialect: 'outcome' }).warnings.map(({ code }) => code)
  expect(codes('{"content":"text"}')).toEqual(['missing-content'])
  expect(codes('{"type":"success","content":3}')).toEqual([])
})

test.for([
  "{'content': [{'type': 'text', 'text': 'a'}]}\n",
  "{'isError': True, 'content': [{'type': 'text', 'text': \"it's\"}]}",
  "{'content': [{'type': 'text', 'text': '\"content\": []'}]}",
])('a dict that Python printed gives a warning with json.dumps: %s', (text) => {
  const { result, format, warnings } = parseToolOutput(text)
  expect([format, result.content]).toEqual(['raw', [{ type: 'text', text }]])
  expect(warnings).toEqual([
    {
      code: 'invalid-json',
      path: '',
      message:
        'The output looks like content blocks but is plain text: it is a Python dict, which is not JSON; print json.dumps(…) of it.',
      expected: 'one JSON document',
      got: 'a Python dict',
    },
  ])
})

test.for(["{'name': 'a'}", "{'content': 'a'}", "Print {'content': []} with json.dumps."])(
  'another dict has no warning: %s',
  (text) => {
    expect(getCodes(text)).toEqual([])
  },
)
