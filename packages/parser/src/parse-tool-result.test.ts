import type { Problem, ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import { parseToolResult } from './parse-tool-result.ts'
import type { ParsedResult } from './reading/reading.ts'

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value })
const codes = (warnings: readonly Problem[]): (string | undefined)[] =>
  warnings.map(({ code }) => code)

function fromServer(value: unknown): ParsedResult {
  const parsed = parseToolResult(value, { from: 'mcp' })
  if (parsed.kind !== 'complete') throw new Error(`a result of kind ${parsed.kind}`)
  return parsed
}

type ResultRow = readonly [
  name: string,
  value: unknown,
  result: Partial<ToolResult>,
  codes: readonly string[],
]

const resultRows: readonly ResultRow[] = [
  ['content: []', { content: [] }, { content: [] }, []],
  ['no content', {}, { content: [] }, []],
  ['content null', { content: null }, { content: [] }, ['coerced-content']],
  ['content a string', { content: 'a' }, { content: [text('a')] }, ['coerced-content']],
  ['content a number', { content: 7 }, { content: [text('7')] }, ['coerced-content']],
  [
    'content a single object',
    { content: text('a') },
    { content: [text('a')] },
    ['coerced-content'],
  ],
  [
    'only structuredContent',
    { structuredContent: { a: 1 } },
    { content: [], structuredContent: { a: 1 } },
    [],
  ],
  ['structuredContent array', { structuredContent: [1] }, { structuredContent: [1] }, []],
  ['structuredContent null', { structuredContent: null }, { structuredContent: null }, []],
  ['structuredContent scalar', { structuredContent: 0 }, { structuredContent: 0 }, []],
  [
    'isError and bad structuredContent: the error text is kept',
    { content: [text('no')], isError: true, structuredContent: 'wrong' },
    { content: [text('no')], isError: true, structuredContent: 'wrong' },
    [],
  ],
  ['isError "true"', { isError: 'true' }, { isError: true }, ['coerced-is-error']],
  ['isError "false"', { isError: 'False' }, { isError: false }, ['coerced-is-error']],
  ['isError null', { isError: null }, { isError: false }, []],
  ['is_error', { content: [], is_error: true }, { isError: true }, ['renamed-field']],
  ['a task beside content', { content: [], task: {} }, { task: {} } as Partial<ToolResult>, []],
  ['isError 1', { isError: 1 }, { isError: true }, ['coerced-is-error']],
  [
    'isError an object without toString',
    { isError: { toString: 1 } },
    { isError: true },
    ['coerced-is-error'],
  ],
  [
    'top-level extras, _meta odd keys',
    { content: [], extra: { a: 1 }, _meta: { 'odd key ☃': 1 } },
    { extra: { a: 1 }, _meta: { 'odd key ☃': 1 } } as Partial<ToolResult>,
    [],
  ],
  ['_meta that is no object', { _meta: 'a' }, { content: [] }, ['dropped-field']],
  [
    'toolResult (2024-10-07)',
    { toolResult: { a: 1 } },
    { content: [], structuredContent: { a: 1 } },
    ['legacy-tool-result'],
  ],
  [
    'metadata and id',
    { content: [], id: 1, metadata: { outcome: 'completed' } },
    { _meta: { 'toolblocks/wire': { id: 1, metadata: { outcome: 'completed' } } } },
    ['moved-to-wire', 'moved-to-wire'],
  ],
  ['resultType missing or complete', { resultType: 'complete' }, { isError: false }, []],
  ['a string for a result', 'done', { content: [text('done')] }, ['malformed-result']],
  ['nothing for a result', undefined, { content: [] }, ['malformed-result']],
  [
    'an array for a result',
    [1, 2],
    { content: [], structuredContent: [1, 2] },
    ['malformed-result'],
  ],
]

test.for(resultRows)('a result with %s', ([, value, result, expected]) => {
  const parsed = fromServer(value)
  expect(parsed.result).toMatchObject(result)
  expect(codes(parsed.warnings)).toEqual(expected)
  expect(parsed.result.metadata?.warnings ?? []).toEqual(parsed.warnings)
  expect('id' in parsed.result).toBe(false)
})

test.for([
  ['input_required', { resultType: 'input_required', inputRequests: {}, content: [text('a')] }],
  ['task', { resultType: 'task', taskId: '1', status: 'working' }],
  ['task', { task: { taskId: '1', status: 'working' }, _meta: {} }],
] as const)('an answer of kind %s is not a result', ([kind, document]) => {
  expect(parseToolResult(document, { from: 'mcp' })).toEqual({ kind, document })
})

test.for([
  ['wat', '"wat"'],
  [7, 'number 7'],
] as const)(
  'an answer of the unknown type %j is not a result; the problem names the type',
  ([type, resultType]) => {
    const document = { resultType: type, content: [text('a')] }
    expect(parseToolResult(document, { from: 'mcp' })).toEqual({
      kind: 'unknown',
      document,
      resultType,
    })
  },
)

describe('null in an optional field means absent, without a warning', () => {
  const resource = { uri: 'x:1', text: 'a' }
  const link = { type: 'resource_link', uri: 'x:1', name: 'a' }
  const question = { id: 'a', text: 'b', schema: true }
  test.for([
    [{ ...text('a'), mimeType: null, annotations: null, _meta: null }, text('a')],
    [
      { ...text('a'), annotations: { audience: null, priority: null, lastModified: null } },
      { ...text('a'), annotations: {} },
    ],
    [
      { type: 'resource', resource: { ...resource, blob: null, mimeType: null }, formatted: null },
      { type: 'resource', resource },
    ],
    [
      { type: 'resource', resource: { uri: 'x:1', text: null, blob: 'QQ==', title: null } },
      { type: 'resource', resource: { uri: 'x:1', blob: 'QQ==' } },
    ],
    [{ ...link, title: null, size: null, description: null }, link],
  ])('%j', ([block, read]) => {
    const { result, warnings, reversible } = fromServer({ content: [block], _meta: null })
    expect(result).toEqual({ content: [read], isError: false })
    expect([warnings, reversible]).toEqual([[], false])
  })

  test('in a question', () => {
    const value = { content: [{ type: 'question', question: { ...question, url: null } }] }
    expect(parseToolResult(value, { from: 'tool' })).toMatchObject({
      result: { content: [{ type: 'question', question }] },
      warnings: [],
    })
  })
})

describe('never throws', () => {
  const thrower = {
    get(): never {
      throw new Error('a trap')
    },
    ownKeys(): never {
      throw new Error('a trap')
    },
  }
  test.for([
    [
      'a getter',
      {
        content: [
          {
            type: 'text',
            get text(): never {
              throw new Error('a trap')
            },
          },
        ],
      },
    ],
    ['a proxy', new Proxy({}, thrower)],
    ['a proxy in a block', { content: [new Proxy({ type: 'text' }, thrower)] }],
    ['a proxy in structured content', { content: [], structuredContent: new Proxy({}, thrower) }],
  ] as const)('a value with %s that throws gives a malformed result', ([, value]) => {
    const { result, warnings } = fromServer(value)
    expect([result.content, codes(warnings)]).toEqual([[], ['malformed-result']])
    expect(parseToolResult(value, { from: 'tool' }).result.content).toEqual([])
  })

  test('a proxy that returns different values each time is read once', () => {
    let reads = 0
    const target = { type: 'text', text: 'a' }
    const value = new Proxy(target, {
      get: (object, key) =>
        key === 'text' ? ((reads += 1) === 1 ? 'first' : reads) : Reflect.get(object, key),
    })
    expect(fromServer({ content: [value] }).result.content).toEqual([text('first')])
  })
})

describe('from a tool', () => {
  const fromTool = (value: unknown): ParsedResult => parseToolResult(value, { from: 'tool' })

  test('a question is a question', () => {
    const question = {
      type: 'question',
      question: { id: 'a', text: 'b', schema: { type: 'string' } },
    }
    expect(fromTool({ content: [question] }).result.content).toEqual([question])
  })

  test('resultType and toolResult have no effect', () => {
    const value = { content: [], resultType: 'odd', toolResult: 1 }
    expect(fromTool(value).result).toEqual({ ...value, isError: false })
  })

  test('optional fields that are undefined are absent', () => {
    const value = {
      content: [{ ...text('a'), annotations: undefined, _meta: undefined }],
      structuredContent: undefined,
      _meta: { a: undefined },
    }
    const { result, warnings } = fromTool(value)
    expect(warnings).toEqual([])
    expect(result).toStrictEqual({ content: [text('a')], _meta: {}, isError: false })
  })
})

describe('values that do not come from JSON.parse', () => {
  test('fields of a prototype are ignored', () => {
    const forged: unknown = Object.assign(Object.create({ isError: true }), {
      content: [Object.create({ type: 'text', text: 'a' })],
    })
    const { result, warnings } = fromServer(forged)
    expect(result).toMatchObject({ content: [], isError: false })
    expect(codes(warnings)).toEqual(['malformed-block'])
  })

  test('values that JSON cannot represent are omitted, with a warning', () => {
    const { result, warnings } = fromServer({
      content: [
        { ...text('a'), _meta: { when: new Date(), big: 1n, run: () => 1, ok: [undefined] } },
      ],
    })
    expect(result.content).toEqual([{ ...text('a'), _meta: { ok: [null] } }])
    expect(codes(warnings)).toEqual(['not-json'])
  })

  test('a cycle exceeds the limit of depth', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    const { result, warnings } = fromServer({ content: [text('a')], structuredContent: cycle })
    expect(result.content).toEqual([text('a')])
    expect('structuredContent' in result).toBe(false)
    expect(warnings).toEqual([
      expect.objectContaining({ path: '/structuredContent', code: 'over-limit' }),
    ])
  })

  test('more than 10,000 blocks are cut', () => {
    const content = Array.from({ length: 10_001 }, () => text('a'))
    const { result, warnings } = fromServer({ content })
    expect(result.content).toHaveLength(10_000)
    expect(codes(warnings)).toEqual(['over-limit'])
  })
})

test.for<[unknown, string]>([
  ['wait', 'string "wait"'],
  [true, 'boolean true'],
])(
  'a wrong status %j is omitted, with the values that are known and what that means',
  ([status, got]) => {
    const meta = { a: 1, 'computer.jp/status': status }
    const { result, warnings } = parseToolResult({ content: [], _meta: meta }, { from: 'tool' })
    expect(result['_meta']).toEqual({ a: 1 })
    const expected = '"running", "waiting" or "stopped"'
    expect(warnings).toEqual([
      {
        code: 'dropped-field',
        path: '/_meta/computer.jp~1status',
        message: `The field "computer.jp/status" was omitted: expected ${expected}, got ${got}; the tool counts as stopped.`,
        expected,
        got,
      },
    ])
  },
)

test.for(['running', 'waiting', 'stopped'])('the status %s is kept', (status) => {
  const meta = { 'computer.jp/status': status }
  const { result, warnings } = parseToolResult({ content: [], _meta: meta }, { from: 'tool' })
  expect([result['_meta'], warnings]).toEqual([meta, []])
})

test('the input is never changed', () => {
  const value = {
    id: 1,
    content: [
      { type: 'image', data: 'iVBORw0KGgo' },
      { type: 'resource', resource: { uri: 'x:1', text: 'a', blob: 'b', formatted: 'f' } },
    ],
    _meta: { a: 1 },
  }
  const before = structuredClone(value)
  fromServer(value)
  expect(value).toEqual(before)
})
