import type { ToolResult } from '@toolblocks/protocol'
import { describe, expect, test } from 'vitest'
import type { ShowOptions } from './show-context.ts'
import { showResult } from './show-result.ts'

const lines = (count: number): string => Array.from({ length: count }, () => 'a').join('\n')
const answerOf = (result: Partial<ToolResult>, options: ShowOptions = {}): object | undefined =>
  showResult({ content: [], isError: false, ...result }, options).answer[0]
const textOf = (text: string, options: ShowOptions = {}, isError = false): object | undefined =>
  answerOf({ content: [{ type: 'text', text }], isError }, options)

describe('of a text', () => {
  test('forty lines are shown where nothing else is said, and 2,000 characters of each', () => {
    expect(textOf(lines(41))).toMatchObject({ left: 0 })
    expect(textOf(lines(42))).toEqual({ kind: 'text', first: lines(40), left: 2, last: '' })
    expect(textOf('x'.repeat(2000))).toMatchObject({ first: 'x'.repeat(2000) })
    expect(textOf('x'.repeat(2001))).toMatchObject({ first: `${'x'.repeat(2000)}\n…(+1)` })
  })

  test('the last lines take room from the first ones, of which one stays', () => {
    const shown = (maxLines: number, lastLines: number): object | undefined =>
      textOf(lines(50), { maxLines, lastLines })
    expect(shown(10, 3)).toEqual({ kind: 'text', first: lines(7), left: 40, last: lines(3) })
    expect(shown(10, 20)).toEqual({ kind: 'text', first: 'a', left: 40, last: lines(9) })
    expect(shown(10, -5)).toEqual({ kind: 'text', first: lines(10), left: 40, last: '' })
    expect(shown(0, 0)).toEqual({ kind: 'text', first: 'a', left: 49, last: '' })
    expect(shown(Infinity, 3)).toMatchObject({ left: 0 })
  })

  test('without a limit all is shown, however long a line is', () => {
    expect(textOf('x'.repeat(30_000), { maxLines: Infinity })).toMatchObject({
      first: 'x'.repeat(30_000),
    })
  })

  test('of an error the first 500 lines are shown and the last, with 20,000 characters of each', () => {
    expect(textOf(lines(1001), { maxLines: 2 }, true)).toMatchObject({ left: 0 })
    expect(textOf(lines(1002), { maxLines: 2 }, true)).toEqual({
      kind: 'text',
      first: lines(500),
      left: 2,
      last: lines(500),
    })
    expect(textOf(lines(1202), { maxLines: 700 }, true)).toMatchObject({
      first: lines(700),
      left: 2,
    })
    expect(textOf('x'.repeat(20_001), {}, true)).toMatchObject({
      first: `${'x'.repeat(20_000)}\n…(+1)`,
    })
  })
})

describe('of rows', () => {
  const table = (rows: number): Partial<ToolResult> => ({
    structuredContent: {
      kind: 'table',
      data: { columns: [{ key: 'a' }], rows: Array.from({ length: rows }, () => ({})) },
    },
  })
  test('as many are shown as lines, counted from the first', () => {
    const left = (options: ShowOptions): unknown => answerOf(table(50), options)
    expect(left({ maxLines: 10, lastLines: 4 })).toMatchObject({ parts: [{ left: { rows: 40 } }] })
    expect(left({ maxLines: Infinity })).toMatchObject({ parts: [{ left: { rows: 0 } }] })
  })

  test('a height shows fewer, at least one, and never more', () => {
    const left = (maxHeight: number, options: ShowOptions = {}): unknown => {
      const { structuredContent } = table(50)
      const value = { ...(structuredContent as object), display: { maxHeight } }
      return answerOf({ structuredContent: value }, options)
    }
    expect(left(4.9)).toMatchObject({ parts: [{ left: { rows: 46 } }] })
    expect(left(1)).toMatchObject({ parts: [{ left: { rows: 49 } }] })
    expect(left(0.5)).toMatchObject({ parts: [{ left: { rows: 10 } }] })
    expect(left(45)).toMatchObject({ parts: [{ left: { rows: 10 } }] })
    expect(left(4, { maxLines: Infinity })).toMatchObject({ parts: [{ left: { rows: 0 } }] })
    expect(left(0.5, { tallValues: 'scroll' })).toMatchObject({ parts: [{}] })
    expect(left(0.5, { tallValues: 'scroll' })).not.toHaveProperty('maxHeight')
  })
})

describe('of warnings and causes', () => {
  const warned = (count: number): Partial<ToolResult> => ({
    metadata: {
      warnings: Array.from({ length: count }, (_, at) => ({ path: `/${at}`, message: 'm' })),
    },
  })
  const remarks = (result: Partial<ToolResult>, options: ShowOptions = {}): readonly object[] =>
    showResult({ content: [], isError: false, ...result }, options).remarks

  test('five warnings are shown, or all where nothing is cut', () => {
    expect(remarks(warned(5))).toHaveLength(5)
    expect(remarks(warned(7)).slice(4)).toEqual([
      { kind: 'warning', path: '/4', message: 'm', facts: [] },
      { kind: 'left', count: 2, unit: 'warning' },
    ])
    expect(remarks(warned(7), { maxLines: Infinity })).toHaveLength(7)
  })

  test('a warning says what it has not said already, however it is spelled', () => {
    const facts = (expected: string, got: string): unknown =>
      remarks({
        metadata: { warnings: [{ path: '', message: 'Expected a String.', expected, got }] },
      })
    expect(facts('a string', 'number')).toMatchObject([{ facts: ['got number'] }])
    expect(facts('A Number', 'a STRING')).toMatchObject([{ facts: ['expected A Number'] }])
  })

  test('a hundred causes of an error are shown, and none of a success', () => {
    const trace = (count: number): NonNullable<ToolResult['_meta']> => ({
      'computer.jp/error': { transient: false, trace: Array.from({ length: count }, () => 'c') },
    })
    const cause = { kind: 'cause', first: 'c', left: 0, last: '' }
    const causes = (count: number): unknown[] => Array.from({ length: count }, () => cause)
    expect(remarks({ isError: true, _meta: trace(100) })).toEqual([
      { kind: 'group', parts: causes(100) },
    ])
    expect(remarks({ isError: true, _meta: trace(102) })).toEqual([
      { kind: 'group', parts: [...causes(100), { kind: 'left', count: 2, unit: 'cause' }] },
    ])
    expect(remarks({ isError: true, _meta: trace(0) })).toEqual([])
    expect(remarks({ _meta: trace(1) })).toEqual([])
  })

  test.for<[unknown, object[]]>([
    ['a\nb\n', [{ kind: 'stderr', lines: 2 }]],
    ['a\n\n', [{ kind: 'stderr', lines: 2 }]],
    ['a', [{ kind: 'stderr', lines: 1 }]],
    ['', []],
    [7, []],
  ])('standard error %j is counted in lines', ([stderr, parts]) => {
    expect(remarks({ metadata: { stderr } })).toStrictEqual(parts)
  })
})
