import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as valibot from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { ToolSchema } from '../schemas/schema.ts'
import { testTool } from '../test-tool.ts'
import { Type } from '../typebox.ts'
import { getWords } from '../program.support.ts'
import { toProblems } from './check-arguments.ts'

const LONG = 'x'.repeat(10_000)

/** The same arguments in each library: a text with a check of its own, and a list of numbers. */
const schemas: Record<string, ToolSchema> = {
  TypeBox: Type.Object({ path: Type.String({ pattern: '^/' }), sizes: Type.Array(Type.Integer()) }),
  Zod: z.object({ path: z.string().startsWith('/'), sizes: z.array(z.int()) }),
  ArkType: type({ path: '/^\\//', sizes: 'number.integer[]' }),
  Valibot: toStandardJsonSchema(
    valibot.object({
      path: valibot.pipe(valibot.string(), valibot.regex(/^\//)),
      sizes: valibot.array(valibot.pipe(valibot.number(), valibot.integer())),
    }),
  ),
}

describe.for(Object.entries(schemas))('by %s', ([, inputSchema]) => {
  const tool = defineTool({ name: 'probe', inputSchema, run: () => 'ran' })

  test('each invalid argument is a short line: the place, what was expected, what came', async () => {
    const values = { path: LONG, sizes: [1, 'many', 2.5] } as never
    const [message = ''] = getWords(await testTool(tool, values))
    const lines = message.split('\n').filter((line) => line.startsWith('- '))
    expect(lines.map((line) => line.split(':')[0])).toEqual(['- /path', '- /sizes/1', '- /sizes/2'])
    for (const line of lines) expect(line.length).toBeLessThan(320)
    expect(lines[1]).toMatch(/expected (?:a |an )?(?:integer|number).*string "many"/)
  })

  test('valid arguments run the tool', async () => {
    expect(getWords(await testTool(tool, { path: '/a', sizes: [1] }))).toEqual(['ran'])
  })
})

test('a problem that only a schema library finds is reported in the same way', async () => {
  const inputSchema = z
    .object({
      from: z
        .string()
        .transform((text, context) =>
          text === LONG ? (context.addIssue('is too far'), z.NEVER) : text,
        ),
    })
    .refine(({ from }) => from !== 'here', { path: ['from'], message: 'is here' })
  const tool = defineTool({ name: 'probe', inputSchema, run: ({ from }) => from })
  const [refused = ''] = getWords(await testTool(tool, { from: 'here' }))
  expect(refused).toContain('\n- /from: is here (got string "here")\n')
  const [far = ''] = getWords(await testTool(tool, { from: LONG }))
  expect(far.length).toBeLessThan(400)
  expect(far).toContain('- /from: is too far (got string "xxx')
})

describe('messages of libraries are shortened', () => {
  const big = { list: [1], text: LONG }

  test('of Zod', () => {
    const { error } = z.object({ n: z.number() }).safeParse({ n: big })
    expect(toProblems(error!.issues, { n: big })).toEqual([
      { path: '/n', message: 'expected number, got object with list, text' },
    ])
  })

  test('of ArkType', () => {
    const result = type({ n: 'number', list: 'string[] | boolean' })['~standard'].validate({
      n: big,
      list: big,
    })
    if (result instanceof Promise || !result.issues) throw new Error('expected issues')
    const problems = toProblems(result.issues, { n: big, list: big })
    expect(problems[0]).toEqual({
      path: '/list',
      message: expect.stringMatching(/got object with list, text\)?$/),
    })
    expect(problems[1]).toEqual({
      path: '/n',
      message: 'expected a number, got object with list, text',
    })
    for (const { message } of problems) expect(message.length).toBeLessThan(280)
  })

  test('of Valibot', () => {
    const { issues = [] } = valibot.safeParse(valibot.object({ n: valibot.number() }), { n: LONG })
    expect(toProblems(issues as never, { n: LONG })).toEqual([
      { path: '/n', message: expect.stringMatching(/^expected number, got string "x{50,60}…?"$/) },
    ])
  })

  test('a missing value is reported as missing', () => {
    const { error } = z.object({ n: z.number() }).safeParse({})
    expect(toProblems(error!.issues, {})).toEqual([
      { path: '/n', message: 'expected number, got nothing' },
    ])
  })
})

test('of many invalid arguments the first twenty are reported, and the number of the others', async () => {
  const tool = defineTool({
    name: 'probe',
    inputSchema: z.object({ all: z.array(z.number().refine(() => false, 'is wrong')) }),
    run: () => 'ran',
  })
  const [message = ''] = getWords(
    await testTool(tool, { all: Array.from({ length: 30 }, () => 1) }),
  )
  expect(message.match(/is wrong/g)).toHaveLength(20)
  expect(message).toContain('- …: and 10 more')
})

test.for<[string, ToolSchema, string]>([
  ['Zod', z.object({ path: z.string(), limit: z.int().optional() }), '{"path":"a"}'],
  [
    'Zod, with a default',
    z.object({ path: z.string(), limit: z.int().default(3) }),
    '{"path":"a","limit":3}',
  ],
  [
    'TypeBox, with a default',
    Type.Object({ path: Type.String(), limit: Type.Integer({ default: 3 }) }),
    '{"path":"a","limit":3}',
  ],
  [
    'Zod, which accepts null',
    z.object({ path: z.string(), limit: z.int().nullish() }),
    '{"path":"a","limit":null}',
  ],
])(
  'null for an optional argument means absent, unless the schema accepts it: %s',
  async ([, inputSchema, seen]) => {
    const tool = defineTool({ name: 'probe', inputSchema, run: (values) => JSON.stringify(values) })
    expect(getWords(await testTool(tool, { path: 'a', limit: null }))).toEqual([seen])
  },
)
