import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { writeProgram } from '../program.support.ts'
import { testTool } from '../test-tool.ts'
import { Type } from '../typebox.ts'

const inputSchema = Type.Object({ path: Type.String(), depth: Type.Integer({ default: 1 }) })
const run = (): string => 'ran'

test('examples reach a model as Markdown, one block of JSON each', () => {
  const tool = defineTool({
    name: 'a',
    inputSchema,
    examples: [{ path: 'x' }, { path: 'y', depth: 2 }],
    run,
  })
  expect(tool.definition.examples).toBe(
    '```json\n{"path":"x"}\n```\n\n```json\n{"path":"y","depth":2}\n```',
  )
})

describe('an example that does not match the schema is refused when the tool is defined', () => {
  test.for([
    [{}, '/path: is required and missing'],
    [{ path: 7 }, '/path: expected string, got number 7'],
    [{ path: 'x', pth: 'y' }, '/pth: is not a known property; expected one of path, depth'],
    ['x', '(arguments): expected an object, got string "x"'],
  ] as const)('%j', ([example, problem]) => {
    expect(() =>
      defineTool({ name: 'a', inputSchema, examples: [{ path: 'x' }, example as never], run }),
    ).toThrow(
      expect.objectContaining({
        code: 'bad-example',
        message: `defineTool("a"): examples[1] does not fit inputSchema: ${problem}`,
      }),
    )
  })

  test('also by the library of its schema', () => {
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'expected an even number') })
    expect(() => defineTool({ name: 'a', inputSchema: even, examples: [{ n: 3 }], run })).toThrow(
      'examples[0] does not fit inputSchema: /n: expected an even number (got number 3)',
    )
    const short = type({ path: 'string < 3' })
    expect(() =>
      defineTool({ name: 'a', inputSchema: short, examples: [{ path: 'abc' }], run }),
    ).toThrow('/path: ')
    expect(defineTool({ name: 'a', inputSchema: even, examples: [{ n: 2 }], run }).name).toBe('a')
  })

  test('also by the compiler', () => {
    const odd = (): unknown =>
      // @ts-expect-error -- a number
      defineTool({ name: 'a', inputSchema, examples: [{ path: 1 }], run: () => '' })
    expect(odd).toThrow('/path: expected string')
  })
})

const PATTERN = `{ type: 'object', properties: { path: { type: 'string', pattern: '^/' } } }`

test('an example that only the thorough check can refuse is refused when the tool is tested and when it is described', async () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string', pattern: '^/' } },
  } as const
  const wrong = defineTool({
    name: 'a',
    inputSchema: schema,
    examples: [{ path: '/x' }, { path: 'x' }],
    run,
  })
  await expect(testTool(wrong, {})).rejects.toThrow('does not fit inputSchema: /path: ')
  const { start } = writeProgram(
    `await runTools([defineTool({ name: 'a', inputSchema: ${PATTERN}, examples: [{ path: 'x' }], run: () => 'ran' })])`,
  )
  const described = await start('{"context":{"action":"schema","root":"."}}\n')
  expect([described.code, described.stdout]).toEqual([1, ''])
  expect(described.stderr).toContain('does not fit inputSchema: /path: ')
})
