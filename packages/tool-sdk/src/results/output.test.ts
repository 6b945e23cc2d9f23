import type { DiffValue, FileListValue, TextContent } from '@toolblocks/protocol'
import { isWellKnownValue } from '@toolblocks/protocol/internal'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { getWords } from '../program.support.ts'
import { waiting } from '../run/defined-tool.ts'
import { testTool } from '../test-tool.ts'
import { Type } from '../typebox.ts'
import { text } from './blocks.ts'
import { failure, structured } from './output.ts'
import { diff, fileContent, fileList, table } from './semantic.ts'

const outputSchema = Type.Object({ lines: Type.Integer(), tags: Type.Array(Type.String()) })

describe('types', () => {
  test('a literal keeps its type without `as const`, and is not readonly', () => {
    const value = structured({ kind: 'git.status', data: { ahead: 1, files: ['a'] } })
    expectTypeOf(value.structuredContent.kind).toEqualTypeOf<'git.status'>()
    expectTypeOf(value.structuredContent.data.files).toEqualTypeOf<['a']>()
    expectTypeOf(text('a')).toEqualTypeOf<TextContent>()
  })

  test('a table has the type of its rows, and columns that are keys of them', () => {
    const rows = [{ name: 'a', size: 1 }]
    const { structuredContent } = table({
      rows,
      columns: ['name', { key: 'size', align: 'right' }],
    })
    expectTypeOf(structuredContent.kind).toEqualTypeOf<'table'>()
    expectTypeOf(structuredContent.data.rows[0]?.size).toEqualTypeOf<number | undefined>()
    // @ts-expect-error -- no such key
    table({ rows, columns: ['nam'] })
    // @ts-expect-error -- no such alignment
    table({ rows, columns: [{ key: 'name', align: 'middle' }] })
    expectTypeOf(diff({ path: 'a', modified: '' }).structuredContent).toEqualTypeOf<DiffValue>()
    expectTypeOf(
      fileList({ path: 'a', entries: [] }).structuredContent,
    ).toEqualTypeOf<FileListValue>()
  })

  test('with an outputSchema, run returns the data, a result with the data, or a failure', () => {
    const data = { lines: 1, tags: ['a'] }
    defineTool({ name: 'a', outputSchema, run: () => data })
    defineTool({ name: 'a', outputSchema, run: async () => structured(data, 'one line') })
    defineTool({ name: 'a', outputSchema, run: () => structured({ lines: 1, tags: ['a'] }) })
    defineTool({ name: 'a', outputSchema, run: () => structured({ kind: 'a.b', data }) })
    defineTool({ name: 'a', outputSchema, run: () => failure('No.') })
    defineTool({ name: 'a', outputSchema, run: () => (data.lines > 1 ? data : failure('No.')) })
    const rows = Type.Object({
      columns: Type.Array(Type.Object({ key: Type.String() })),
      rows: Type.Array(Type.Object({ n: Type.Integer() })),
    })
    defineTool({ name: 'a', outputSchema: rows, run: () => table({ rows: [{ n: 1 }] }) })
    // @ts-expect-error -- a block is no data
    defineTool({ name: 'a', outputSchema, run: () => text('a') })
    // @ts-expect-error -- a text is no data
    defineTool({ name: 'a', outputSchema, run: () => 'a' })
    // @ts-expect-error -- tags are missing
    defineTool({ name: 'a', outputSchema, run: () => ({ lines: 1 }) })
    // @ts-expect-error -- tags are missing
    defineTool({ name: 'a', outputSchema, run: () => structured({ lines: 1 }) })
    const odd = structured({ kind: 'a', data: { lines: '1', tags: [] } })
    // @ts-expect-error -- lines is a number
    defineTool({ name: 'a', outputSchema, run: () => odd })
    defineTool({
      name: 'a',
      outputSchema,
      stateful: true,
      async *run() {
        yield 'counting'
        return { lines: 1, tags: [] }
      },
    })
    // @ts-expect-error -- a generator must return the data too
    defineTool({ name: 'a', outputSchema, stateful: true, async *run() {} })
  })

  test('a tool shows its name and its descriptions, and nothing else', () => {
    const tool = defineTool({ name: 'a', run: () => '' })
    expectTypeOf<Extract<keyof typeof tool, string>>().toEqualTypeOf<
      'name' | 'definition' | 'description'
    >()
    expect(Object.keys(tool)).toEqual(['name', 'definition', 'description'])
  })
})

describe('without an outputSchema', () => {
  test('a text is a block of text, also in a list', async () => {
    const one = defineTool({ name: 'a', run: () => 'one' })
    const list = defineTool({
      name: 'a',
      run: (_args, { show }) => {
        show('first', text('second'))
        return ['third', text('fourth')]
      },
    })
    expect((await testTool(one, {})).content).toEqual([text('one')])
    expect(getWords(await testTool(list, {}))).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('a stateful tool yields and waits with texts', async () => {
    const live = defineTool({
      name: 'a',
      stateful: true,
      async *run() {
        yield 'one'
        return `got ${JSON.stringify(yield waiting('Which?', 'before'))}`
      },
    })
    expect(getWords(await testTool(live, {}, { inputs: [1] }))).toEqual([
      'one',
      'before',
      'Which?',
      'got 1',
    ])
  })
})

describe('with an outputSchema', () => {
  const returning = (returned: unknown) =>
    defineTool({ name: 'a', outputSchema, run: () => returned as never })
  const data = { lines: 1, tags: ['a'] }

  test('the data is the structured content, and a model receives it as JSON', async () => {
    expect(await testTool(returning(data), {})).toEqual({
      isError: false,
      content: [text('{"lines":1,"tags":["a"]}')],
      structuredContent: data,
    })
  })

  test('the schema describes the data of a semantic value', async () => {
    const value = { kind: 'a.b', data, summary: 'One line.' }
    expect(await testTool(returning(structured(value)), {})).toEqual({
      isError: false,
      content: [text('One line.\n\n{"lines":1,"tags":["a"]}')],
      structuredContent: value,
    })
  })

  test('a failure needs no data', async () => {
    expect(await testTool(returning(failure('No.')), {})).toMatchObject({
      isError: true,
      content: [text('No.')],
    })
  })

  test.for([
    [{ lines: 'one', tags: [] }, /- \/lines: .*got string "one"/],
    [{ lines: 1 }, /- \/tags: is required and missing/],
    [structured({ kind: 'a.b', data: { lines: 1.5, tags: [] } }), /- \/lines: /],
    [text('a'), /- \/lines: /],
    ['a', /- \(data\): .*got string "a"/],
  ] as const)(
    'data that does not match is an error that names the place: %j',
    async ([returned, line]) => {
      const result = await testTool(returning(returned), {})
      expect(result).not.toHaveProperty('structuredContent')
      const [message = ''] = getWords(result)
      expect([result.isError, message]).toEqual([true, expect.stringMatching(line)])
      expect(message).toMatch(
        /^The tool "a" failed: what it returned does not fit its outputSchema\./,
      )
    },
  )

  test.for<[unknown, string]>([
    [undefined, 'expected JSON, got nothing'],
    [{ content: [text('a')], isError: false }, 'got a result without structuredContent'],
  ])('%j is not data', async ([returned, message]) => {
    const result = await testTool(returning(returned), {})
    expect([result.isError, getWords(result).join()]).toEqual([
      true,
      expect.stringContaining(message),
    ])
  })

  test('the schema’s library checks the data too', async () => {
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'expected an even number') })
    const tool = defineTool({ name: 'a', outputSchema: even, run: () => ({ n: 3 }) })
    expect(getWords(await testTool(tool, {})).join()).toContain(
      '- /n: expected an even number (got number 3)',
    )
  })

  test('the last result of a stateful tool is checked', async () => {
    const live = defineTool({
      name: 'a',
      outputSchema,
      stateful: true,
      async *run() {
        yield 'counting'
        return data
      },
    })
    expect(await testTool(live, {})).toMatchObject({ isError: false, structuredContent: data })
    const odd = defineTool({
      name: 'a',
      outputSchema,
      stateful: true,
      async *run() {
        yield 'counting'
        return { lines: 'x' } as never
      },
    })
    expect((await testTool(odd, {})).isError).toBe(true)
  })
})

describe('semantic results', () => {
  const all = {
    table: table({
      rows: [
        { name: 'a|b', size: 2, ok: true },
        { name: 'c\nd', size: null, ok: false },
      ],
    }),
    diff: diff({ path: 'a.txt', original: 'one\ntwo\nthree\n', modified: 'one\n2\nthree\n' }),
    newFile: diff({ path: 'a.txt', modified: 'one' }),
    fileList: fileList({
      path: 'src',
      entries: ['a.ts', { name: 'lib', type: 'directory' }, { name: 'b', size: 12 }],
      truncated: true,
    }),
    fileContent: fileContent({ path: 'a.md', content: '# é\n```\n', summary: 'A note.' }),
  }

  test.for(Object.entries(all))(
    '%s is a value of a well-known kind',
    ([, { structuredContent }]) => {
      expect(isWellKnownValue(structuredContent)).toBe(true)
    },
  )

  const wordsFor = (name: keyof typeof all): string =>
    getWords({ ...all[name], content: [...all[name].content] }).join()

  test('a table derives its columns and their types, and a model receives Markdown', () => {
    expect(all.table.structuredContent.data.columns).toEqual([
      { key: 'name' },
      { key: 'size', type: 'number' },
      { key: 'ok', type: 'boolean' },
    ])
    expect(wordsFor('table')).toBe(
      String.raw`| name | size | ok |
| --- | --: | --- |
| a\|b | 2 | true |
| c d |  | false |`,
    )
    expect(table({ rows: [] }).content).toEqual([text('The table has no rows.')])
    expect(
      table({ rows: [{ n: 1 }], columns: [{ key: 'n', label: 'N' }] }, 'one row').content,
    ).toEqual([text('one row')])
  })

  test('the text of a diff is a unified diff', () => {
    expect(wordsFor('diff')).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
    )
    expect(wordsFor('newFile')).toBe(
      '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file',
    )
    const same = diff({ path: 'a', original: 'x', modified: 'x' })
    expect(same.content).toEqual([text('a is unchanged.')])
    const unknown = diff({ path: 'a', modified: 'x', isNew: false })
    expect(unknown.content).toEqual([text('a was written: 1 byte.')])
  })

  test('the text of a list of files has one line for each file', () => {
    expect(wordsFor('fileList')).toBe('src:\na.ts\nlib/\nb (12 bytes)\nThere are more entries.')
  })

  test('the text of a file is a code block that the content cannot close', () => {
    expect(wordsFor('fileContent')).toBe('a.md\n\n````md\n# é\n```\n````')
    expect(all.fileContent.structuredContent).toMatchObject({
      data: { size: 9 },
      summary: 'A note.',
    })
  })
})
