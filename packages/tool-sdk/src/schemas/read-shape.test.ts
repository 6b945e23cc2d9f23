import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { text } from '../results/blocks.ts'
import { testTool } from '../test-tool.ts'
import { Type } from '../typebox.ts'

const copy = defineTool({
  name: 'copy',
  inputSchema: {
    from: z.string().describe('The file.'),
    times: z.number().default(2),
    to: z.string().optional(),
    mode: z.string().transform((mode) => mode.toUpperCase()),
  },
  run: (args) => JSON.stringify(args),
})

test('the schema has each property, and requires those that accept no absent value', async () => {
  const { inputSchema } = copy.definition
  expect(inputSchema).toMatchObject({
    type: 'object',
    properties: {
      from: { type: 'string', description: 'The file.' },
      times: { type: 'number', default: 2 },
      to: { type: 'string' },
    },
    required: ['from', 'mode'],
  })
})

test('defaults and transformations of each property apply, and absent ones stay absent', async () => {
  const result = await testTool(copy, { from: 'a', mode: 'fast' })
  expect(result.content).toEqual([
    { type: 'text', text: JSON.stringify({ from: 'a', times: 2, mode: 'FAST' }) },
  ])
})

test('a problem has the place of its property', async () => {
  const even = defineTool({
    name: 'even',
    inputSchema: {
      part: z.object({ n: z.number().refine((n) => n % 2 === 0, 'expected an even number') }),
    },
    run: () => 'ran',
  })
  const result = await testTool(even, { part: { n: 3 } })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result.content)).toMatch(/\/part\/n: .*expected an even number/)
})

test('an object with a schema for each property gives the types of their output', () => {
  defineTool({
    name: 'shape',
    inputSchema: { times: z.number().default(1), path: z.string().optional(), to: z.string() },
    run(args) {
      expectTypeOf(args).toEqualTypeOf<{
        times: number
        to: string
        path?: string | undefined
      }>()
      return text('')
    },
  })
})

test('an enum of TypeScript gives the type of its values', () => {
  // What an enum is at run time.
  const Mode = { Fast: 'fast', Safe: 'safe' } as const
  defineTool({
    name: 'enum',
    inputSchema: Type.Object({ mode: Type.Enum(Mode, { default: Mode.Safe }) }),
    run({ mode }) {
      expectTypeOf(mode).toEqualTypeOf<'fast' | 'safe'>()
      return text(mode)
    },
  })
})
