import { type Problem } from '@toolblocks/protocol'
import { MAX_CONTENT_BLOCKS, MAX_JSON_NODES, MAX_OUTPUT_BYTES } from '@toolblocks/protocol/internal'
import { describe, expect, test } from 'vitest'
import { parseToolOutput } from './parse-tool-output.ts'

const print = (document: unknown): string => JSON.stringify(document)

const codes = (warnings: readonly Problem[]): (string | undefined)[] =>
  warnings.map(({ code }) => code)

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value })

describe('a JSON object with a content array', () => {
  test('is read block by block, in order', () => {
    const content = [
      text('Found one file.'),
      {
        type: 'resource',
        resource: { uri: 'file:///x.rs', mimeType: 'text/rust', text: 'fn main() {}' },
        formatted: '```rs\nfn main() {}\n```',
      },
      text('Shall I?'),
      {
        type: 'question',
        question: { id: 'go', text: 'Go?', schema: { type: 'boolean' }, default: true },
      },
    ]
    expect(parseToolOutput(print({ content }))).toEqual({
      result: { content, isError: false },
      warnings: [],
      format: 'blocks',
      reversible: true,
    })
  })

  test('may be surrounded by white space, and may be bytes', () => {
    const output = ` \n\t${print({ content: [text('a')] })}\r\n`
    const bytes = new TextEncoder().encode(output)
    expect(parseToolOutput(bytes).result).toEqual({ content: [text('a')], isError: false })
    expect(parseToolOutput(output)).toEqual(parseToolOutput(bytes))
  })

  test('reports with isError that the tool failed, and details in _meta', () => {
    const _meta = { 'computer.jp/error': { transient: true, trace: ['io error'] } }
    const { result } = parseToolOutput(print({ content: [text('no')], isError: true, _meta }))
    expect(result).toEqual({ content: [text('no')], isError: true, _meta })
  })

  test('may be empty', () => {
    expect(parseToolOutput('{"content":[]}').result).toEqual({ content: [], isError: false })
  })

  test('keeps structured content, also null', () => {
    const { result } = parseToolOutput('{"content":[],"structuredContent":null}')
    expect(result).toEqual({ content: [], isError: false, structuredContent: null })
  })

  test('keeps unknown fields: in the result, in blocks, in resources, in questions', () => {
    const document = {
      content: [
        { ...text('a'), tone: 'dry', _meta: { a: { b: [1, null, 'c'] } } },
        { type: 'resource', resource: { uri: 'x:1', text: '', size: 3 }, 'my/key': false },
        { type: 'question', question: { id: 'q', text: 'q?', schema: true, target: 'user' } },
      ],
      isError: false,
      progress: { done: 7 },
      '': 'the empty key',
    }
    const { result, warnings } = parseToolOutput(print(document))
    expect(result).toEqual(document)
    expect(warnings).toEqual([])
  })

  test('with a malformed block skips it, keeps the others and says where, what and why', () => {
    const resource = {
      type: 'resource',
      resource: { uri: 'file:///x.rs', mimeType: 'text/rust', text: 'fn main() {}' },
    }
    const { result, warnings, format, reversible } = parseToolOutput(
      print({ content: [text('a'), resource, { type: 'wat' }] }),
    )
    expect(result.content).toEqual([text('a'), resource])
    expect(warnings).toEqual([
      {
        path: '/content/2',
        message: 'The block was skipped: its type "wat" is unknown.',
        expected: '"type" one of text, image, audio, resource, resource_link, question',
        got: 'string "wat"',
        code: 'unknown-block-type',
      },
    ])
    expect(result.metadata).toEqual({ warnings })
    expect({ format, reversible }).toEqual({ format: 'blocks', reversible: false })
  })

  test('with only malformed blocks is empty, never raw text', () => {
    const { result, warnings } = parseToolOutput('{"content":[{},null,{"type":1},[]]}')
    expect(result.content).toEqual([])
    expect(warnings.map(({ path }) => path)).toEqual(
      [0, 1, 2, 3].map((index) => `/content/${index}`),
    )
  })

  test('with a forged id or metadata is not believed: they move to _meta', () => {
    const forged = { content: [], id: 'call_1', metadata: { outcome: 'completed', warnings: [] } }
    const { result, warnings } = parseToolOutput(print({ ...forged, _meta: { a: 1 } }))
    expect(result._meta).toEqual({
      a: 1,
      'toolblocks/wire': { id: 'call_1', metadata: { outcome: 'completed', warnings: [] } },
    })
    expect(result).not.toHaveProperty('id')
    expect(result.metadata).toEqual({ warnings })
    expect(codes(warnings)).toEqual(['moved-to-wire', 'moved-to-wire'])
  })

  test('with a link keeps it and says that a local tool embeds a resource instead', () => {
    const link = { type: 'resource_link', uri: 'file:///a.md', name: 'a.md' }
    const { result, warnings } = parseToolOutput(print({ content: [link] }))
    expect(result.content).toEqual([link])
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/content/0/type', code: 'local-resource-link' }),
    ])
    expect(warnings[0]?.message).toContain('"resource"')
  })

  test('with two questions of one id keeps the first', () => {
    const ask = (id: string, label: string): unknown => ({
      type: 'question',
      question: { id, text: label, schema: { type: 'string' } },
    })
    const { result, warnings } = parseToolOutput(
      print({ content: [ask('a', '1'), ask('b', '2'), ask('a', '3')] }),
    )
    expect(result.content).toEqual([ask('a', '1'), ask('b', '2')])
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/content/2', code: 'duplicate-question-id' }),
    ])
  })

  test('keeps at most 32 questions', () => {
    const content = Array.from({ length: 34 }, (_, index) => ({
      type: 'question',
      question: { id: `q${index}`, text: '?', schema: { type: 'boolean' } },
    }))
    const { result, warnings } = parseToolOutput(print({ content }))
    expect(result.content).toEqual(content.slice(0, 32))
    expect(codes(warnings)).toEqual(['too-many-questions', 'too-many-questions'])
  })
})

describe('any other output is one text block, exactly as printed', () => {
  test.for([
    ['text', 'check succeeded\n'],
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['CRLF', 'a\r\nb\r\n'],
    ['NUL', 'a\0b'],
    ['control sequences', '\u001B[31mred\u001B[0m'],
    ['JSON without content', '{"ok":true}'],
    ['content that is a string', '{"type":"success","content":"a"}'],
    ['content that is an object', '{"content":{"type":"text","text":"a"}}'],
    ['content that is null', '{"content":null}'],
    ['a JSON array', '[{"type":"text","text":"a"}]'],
    ['a JSON string', '"a"'],
    ['a JSON number', '7'],
    ['no-break space before JSON', '\u00A0{"content":[]}'],
    ['half a JSON document', '{"content":[{"type":"te'],
    ['U+FFFD and lone surrogates', 'a\uFFFD\uD83D\uDE00\uD83D'],
  ] as const)('%s', ([, output]) => {
    const { result, format, reversible, truncated } = parseToolOutput(output)
    expect(result.content).toEqual([{ type: 'text', text: output }])
    expect(result.isError).toBe(false)
    expect({ format, reversible, truncated }).toEqual({ format: 'raw', reversible: false })
  })

  test.for(['{ not json', 'const a = {"content": [1]}', '{"rows": [1, 2}'])(
    'plain text has no warnings and no metadata: %s',
    (output) => {
      expect(parseToolOutput(output)).toEqual({
        result: { content: [text(output)], isError: false },
        warnings: [],
        format: 'raw',
        reversible: false,
      })
    },
  )

  test.for([
    ['{"content":[]}\nDone.', 'text-around-json'],
    ['reading x\n{"content":[]}\n', 'text-around-json'],
    ['{"content":[]}{"content":[]}', 'text-around-json'],
    ['{"content":[{"type":"text","text":"a\nb"}]}', 'invalid-json'],
    ['{\'content\':[], "content" : [}', 'invalid-json'],
  ] as const)('a text that looks like blocks has a warning: %j is %s', ([output, code]) => {
    const { result, warnings } = parseToolOutput(output)
    expect(result.content).toEqual([text(output)])
    expect(codes(warnings)).toEqual([code])
    expect(warnings[0]?.got).not.toContain('\n')
  })
})

describe('bytes', () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)))

  test('in UTF-8 with a byte order mark are read without it', () => {
    const blocks = parseToolOutput(bytes([0xef, 0xbb, 0xbf], '{"content":[]}'))
    expect(blocks).toMatchObject({ format: 'blocks', warnings: [] })
    const raw = parseToolOutput(bytes([0xef, 0xbb, 0xbf], 'hé\n'))
    expect(raw.result.content).toEqual([text('hé\n')])
  })

  test('that are not UTF-8 become U+FFFD, with a warning, in text and in blocks', () => {
    const raw = parseToolOutput(bytes('caf', [0xe9]))
    expect(raw.result.content).toEqual([text('caf\uFFFD')])
    expect(codes(raw.warnings)).toEqual(['invalid-utf-8'])
    const blocks = parseToolOutput(bytes('{"content":[{"type":"text","text":"caf', [0xe9], '"}]}'))
    expect(blocks.result.content).toEqual([text('caf\uFFFD')])
    expect(blocks.result.metadata?.warnings).toEqual(blocks.warnings)
    expect(blocks).toMatchObject({ format: 'blocks', reversible: false })
  })

  test('in UTF-16 with a byte order mark are converted, with a warning', () => {
    const document = '\uFEFF{"content":[{"type":"text","text":"ü"}]}'
    const little = Buffer.from(document, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const output of [little, big]) {
      const { result, warnings } = parseToolOutput(output)
      expect(result.content).toEqual([text('ü')])
      expect(codes(warnings)).toEqual(['utf-16'])
    }
  })

  test('that are random are text', () => {
    const output = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7919) % 251)
    const { result } = parseToolOutput(output)
    expect(result.content).toEqual([text(new TextDecoder().decode(output))])
  })
})

test('a string with a byte order mark is read as JSON, and unchanged as text', () => {
  expect(parseToolOutput('\uFEFF{"content":[]}').format).toBe('blocks')
  expect(parseToolOutput('\uFEFFa').result.content).toEqual([text('\uFEFFa')])
})

describe('numbers', () => {
  const withNumber = (number: string): ReturnType<typeof parseToolOutput> =>
    parseToolOutput(`{"content":[],"structuredContent":{"n":${number}}}`)

  test('above 2^53 are not exact, so the result is not reversible', () => {
    expect(withNumber('9007199254740991').reversible).toBe(true)
    expect(withNumber('9007199254740993')).toMatchObject({ reversible: false, warnings: [] })
    expect(withNumber('1.5e300').reversible).toBe(false)
  })

  test('outside the range of a double become null, as in JSON', () => {
    const { result, warnings } = withNumber('1e400')
    expect(result.structuredContent).toEqual({ n: null })
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/structuredContent', code: 'number-out-of-range' }),
    ])
  })

  test('minus zero becomes zero', () => {
    expect(withNumber('-0').result.structuredContent).toEqual({ n: 0 })
    const annotated = '{"content":[{"type":"text","text":"","annotations":{"priority":-0}}]}'
    const { result, warnings } = parseToolOutput(annotated)
    expect(result.content).toEqual([{ ...text(''), annotations: { priority: 0 } }])
    expect(warnings).toEqual([])
  })
})

describe('keys named __proto__', () => {
  test('are omitted everywhere, with a warning, and do not change a prototype', () => {
    const output = `{"__proto__":{"isError":true},"content":[
      {"type":"text","text":"a","__proto__":{"text":"b"}},
      {"type":"text","text":"b","_meta":{"a":[{"__proto__":{"x":1},"y":2}]}},
      {"type":"resource","resource":{"uri":"x:1","text":"c","__proto__":{"blob":"QQ=="}}},
      {"__proto__":{"type":"text","text":"d"}},
      {"type":"text","text":"e","annotations":{"__proto__":{"priority":1}}}]}`
    const { result, warnings } = parseToolOutput(output)
    expect(result.isError).toBe(false)
    expect(result.content).toEqual([
      text('a'),
      { ...text('b'), _meta: { a: [{ y: 2 }] } },
      { type: 'resource', resource: { uri: 'x:1', text: 'c' } },
      { ...text('e'), annotations: {} },
    ])
    expect(JSON.stringify(result.content)).not.toContain('__proto__')
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ['/content/0/__proto__', 'proto-key'],
      ['/content/1/_meta', 'proto-key'],
      ['/content/2/resource/__proto__', 'proto-key'],
      ['/content/3', 'malformed-block'],
      ['/content/4/annotations/__proto__', 'proto-key'],
      ['/__proto__', 'proto-key'],
    ])
  })

  test('escaped, too', () => {
    const { result } = parseToolOutput('{"content":[],"\\u005f_proto__":{"isError":true}}')
    expect(result).toEqual({ content: [], isError: false, metadata: expect.anything() })
  })
})

test('a repeated key is a warning with its path, and the result is not reversible', () => {
  const output =
    '{"content":[{"type":"text","text":"a","text":"b"}],"_meta":{"x/y":1,"x/y":2,"x/y":3},"z":{}, "z" :1}'
  const { result, warnings, reversible } = parseToolOutput(output)
  expect(result.content).toEqual([{ type: 'text', text: 'b' }])
  expect(warnings.map(({ path, code }) => [path, code])).toEqual([
    ['/content/0/text', 'repeated-key'],
    ['/_meta/x~1y', 'repeated-key'],
    ['/_meta/x~1y', 'repeated-key'],
  ])
  expect(reversible).toBe(false)
})

describe('an output over a limit is text with its beginning and end, and says so', () => {
  test('more than 16 MiB', () => {
    const output = Buffer.alloc(64 * 1024 * 1024, 'x')
    output.write('first')
    output.write('last', output.length - 4)
    const { result, truncated, format, warnings } = parseToolOutput(output)
    expect(truncated).toEqual({ bytes: 67_108_864, kept: 16_384, reason: 'bytes' })
    expect(format).toBe('raw')
    expect(codes(warnings)).toEqual(['over-limit'])
    const [block] = result.content
    expect(block?.type === 'text' && block.text).toMatch(
      /^firstx{8187}\n\[… 67092480 of 67108864 bytes omitted: .* 16777216 bytes\. …\]\nx{8188}last$/,
    )
  })

  test('exactly 16 MiB is not over the limit', () => {
    const output = 'x'.repeat(MAX_OUTPUT_BYTES)
    const { result, truncated } = parseToolOutput(output)
    expect(truncated).toBeUndefined()
    expect(result.content).toEqual([text(output)])
    expect(parseToolOutput(`${output}x`).truncated?.reason).toBe('bytes')
  })

  test('a string is measured in UTF-8 bytes', () => {
    const output = 'ü'.repeat(MAX_OUTPUT_BYTES / 2)
    expect(parseToolOutput(output).truncated).toBeUndefined()
    expect(parseToolOutput(`${output}ü`).truncated?.reason).toBe('bytes')
  })

  test('blocks nested deeper than 64 levels, in a small document: the text is complete', () => {
    const nested = (levels: number): string =>
      `{"content":[{"type":"text","text":"a","_meta":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}]}`
    expect(parseToolOutput(nested(60))).toMatchObject({ format: 'blocks', warnings: [] })
    const { result, truncated } = parseToolOutput(nested(61))
    expect(truncated).toEqual({ bytes: 177, kept: 177, reason: 'depth' })
    const [block] = result.content
    expect(block?.type === 'text' && block.text).toBe(
      `${nested(61)}\n[Not read as blocks: the output has more than 64 levels of nesting.]`,
    )
  })

  test('blocks 4,000,000 levels deep', () => {
    const depth = 4_000_000
    const output = `{"content":[${'['.repeat(depth)}${']'.repeat(depth)}]}`
    expect(parseToolOutput(output).truncated).toEqual({
      bytes: output.length,
      kept: 16_384,
      reason: 'depth',
    })
  })

  test('16 MB of blocks, [{},{},…]', () => {
    const output = `{"content":[${'{},'.repeat(5_500_000)}{}]}`
    expect(parseToolOutput(output).truncated?.reason).toBe('nodes')
  })

  test('more than a million values, including blocks and the values around them', () => {
    // The content, its block, the fields of the block, and the structured content.
    const rest = MAX_JSON_NODES - 5
    const output = (count: number): string =>
      `{"content":[{"type":"text","text":"a"}],"structuredContent":[${'0,'.repeat(count - 1)}0]}`
    expect(parseToolOutput(output(rest)).truncated).toBeUndefined()
    expect(parseToolOutput(output(rest + 1)).truncated?.reason).toBe('nodes')
  })

  test('more than 10,000 blocks', () => {
    const content = Array.from({ length: MAX_CONTENT_BLOCKS }, () => text('a'))
    expect(parseToolOutput(print({ content })).result.content).toHaveLength(MAX_CONTENT_BLOCKS)
    const { truncated, warnings } = parseToolOutput(print({ content: [...content, text('a')] }))
    expect(truncated?.reason).toBe('blocks')
    expect(codes(warnings)).toEqual(['over-limit'])
  })
})

test.for([
  ['4,000,000 levels', '['.repeat(4_000_000)],
  ['4,000,000 levels that end', `${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}`],
  ['an object of 1,500,000 levels', `${'{"a":'.repeat(1_500_000)}1${'}'.repeat(1_500_000)}`],
  ['16 MB of [{},{},…]', `[${'{},'.repeat(5_500_000)}{}]`],
  ['an object of 16 MB of {},{},…', `{"rows":[${'{},'.repeat(5_500_000)}{}]}`],
] as const)('JSON that is not blocks is text, in any shape: %s', ([, output]) => {
  const { result, truncated } = parseToolOutput(output)
  expect(truncated).toBeUndefined()
  const [block] = result.content
  expect(block?.type === 'text' && block.text === output).toBe(true)
})

test('blocks of more than 2 MiB are read', () => {
  const content = [text('a'.repeat(3_000_000)), text('"\\'.repeat(1_000_000))]
  const { result, format } = parseToolOutput(print({ content }))
  expect(format).toBe('blocks')
  expect(result.content).toEqual(content)
})
