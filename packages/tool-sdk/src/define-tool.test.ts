import { descriptionToDefinition } from '@toolblocks/protocol'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as valibot from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from './define-tool.ts'
import { type DefinedTool, waiting } from './run/defined-tool.ts'
import { describeTools } from './describe-tools.ts'
import { Type } from './typebox.ts'
import { toTool } from './to-tool.ts'
import { text } from './results/blocks.ts'
import { structured } from './results/output.ts'
import { testTool } from './test-tool.ts'
import { required, type ToolSchema } from './schemas/schema.ts'

describe('types', () => {
  test('TypeBox gives the types of the arguments: optional, nested, lists, enums, unions', () => {
    const tool = defineTool({
      name: 'a',
      inputSchema: Type.Object({
        package: Type.Optional(Type.String()),
        edit: Type.Object({ line: Type.Integer(), words: Type.Array(Type.String()) }),
        mode: Type.Enum(['fast', 'safe']),
        limit: Type.Union([Type.Number(), Type.Null()]),
        rows: Type.Array(Type.Object({ id: Type.Literal(1) })),
      }),
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{
          package?: string
          edit: { line: number; words: string[] }
          mode: 'fast' | 'safe'
          limit: number | null
          rows: { id: 1 }[]
        }>()
        return text('')
      },
    })
    expectTypeOf(testTool<{ a: 1 }>)
      .parameter(1)
      .toEqualTypeOf<{ a: 1 }>()
    expect(tool.name).toBe('a')
  })

  test('a default makes an argument present for the tool, and optional for the caller', () => {
    const tool = defineTool({
      name: 'a',
      inputSchema: Type.Object({
        path: Type.String(),
        limit: Type.Integer({ default: 3, minimum: 1 }),
        mode: Type.Enum(['fast', 'safe'], { default: 'fast' }),
        tags: Type.Optional(Type.Array(Type.String(), { default: [] })),
      }),
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{
          path: string
          limit: number
          mode: 'fast' | 'safe'
          tags: string[]
        }>()
        return text('')
      },
    })
    expectTypeOf(
      testTool<{ path: string; limit?: number; mode?: 'fast' | 'safe'; tags?: string[] }>,
    )
      .parameter(0)
      .toEqualTypeOf(tool)
  })

  test('a default in a handwritten JSON Schema counts too', () => {
    const tool = defineTool({
      name: 'a',
      inputSchema: {
        type: 'object',
        properties: { limit: { type: 'integer', default: 3 }, path: { type: 'string' } },
        required: ['limit', 'path'],
      },
      run({ limit }) {
        expectTypeOf(limit).toEqualTypeOf<number>()
        return text('')
      },
    })
    expectTypeOf(testTool<{ path: string; limit?: number }>)
      .parameter(0)
      .toEqualTypeOf(tool)
  })

  test('recursive types are followed', () => {
    defineTool({
      name: 'a',
      inputSchema: Type.Object({
        tree: Type.Cyclic(
          { Node: Type.Object({ name: Type.String(), parts: Type.Array(Type.Ref('Node')) }) },
          'Node',
        ),
      }),
      run({ tree }) {
        expectTypeOf(tree.parts[0]?.parts[0]?.name).toEqualTypeOf<string | undefined>()
        return text('')
      },
    })
  })

  test('Zod, ArkType and Valibot give the types of their output', () => {
    defineTool({
      name: 'zod',
      inputSchema: z.object({ times: z.number().default(1), path: z.string().optional() }),
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{ times: number; path?: string | undefined }>()
        return text('')
      },
    })
    defineTool({
      name: 'arktype',
      inputSchema: type({ path: 'string', 'times?': 'number' }),
      run(args) {
        expectTypeOf(args.path).toEqualTypeOf<string>()
        expectTypeOf(args.times).toEqualTypeOf<number | undefined>()
        return text('')
      },
    })
    defineTool({
      name: 'valibot',
      inputSchema: toStandardJsonSchema(valibot.object({ path: valibot.string() })),
      run(args) {
        expectTypeOf(args).toEqualTypeOf<{ path: string }>()
        return text('')
      },
    })
  })

  test('a handwritten JSON Schema gives types too', () => {
    defineTool({
      name: 'a',
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string' } },
        required: ['path'],
      },
      run({ path }) {
        expectTypeOf(path).toEqualTypeOf<string>()
        return text('')
      },
    })
  })

  test('with parameters, and with neither, nothing is known of them', () => {
    defineTool({
      name: 'a',
      parameters: { path: { type: 'string' } },
      run(args) {
        expectTypeOf(args).toEqualTypeOf<Readonly<Record<string, unknown>>>()
        expectTypeOf(required(args, 'path')).toEqualTypeOf<unknown>()
        return text('')
      },
    })
  })

  test('invalid uses do not compile', async () => {
    const tool = defineTool({
      name: 'a',
      inputSchema: Type.Object({ path: Type.String(), times: Type.Optional(Type.Integer()) }),
      outputSchema: Type.Object({ lines: Type.Integer() }),
      run(call) {
        // @ts-expect-error -- no such argument
        void call.arguments.pth
        // @ts-expect-error -- may be absent
        const times: number = call.arguments.times
        // @ts-expect-error -- not one of the options
        const chosen: 'x' = call.answers['no'] ?? call.ask.select('c', 'Which?', ['y', 'z'])
        return structured({ lines: times ?? chosen }, '')
      },
    })
    // @ts-expect-error -- path is missing
    await testTool(tool, { times: 1 })
    // @ts-expect-error -- path is a string
    await testTool(tool, { path: 1 })
    defineTool({
      name: 'a',
      outputSchema: Type.Object({ lines: Type.Integer() }),
      // @ts-expect-error -- lines are a number
      run: () => structured({ lines: 'many' }, ''),
    })
    defineTool({
      name: 'a',
      // @ts-expect-error -- a result is made of texts and blocks
      run: () => 7,
    })
    // @ts-expect-error -- a stateful tool is a generator
    defineTool({ name: 'a', stateful: true, run: async () => text('') })
    const bare = valibot.object({ path: valibot.string() })
    // @ts-expect-error -- cannot say itself as JSON Schema
    expect(() => defineTool({ name: 'a', inputSchema: bare, run: () => text('') })).toThrow(
      'wrap it',
    )
  })

  test('a stateful tool yields blocks and waits', () => {
    defineTool({
      name: 'a',
      stateful: true,
      inputSchema: Type.Object({ hunks: Type.Integer() }),
      async *run({ hunks }) {
        expectTypeOf(hunks).toEqualTypeOf<number>()
        yield text('ready')
        const input = yield waiting('Which?')
        yield text(JSON.stringify(input))
      },
    })
  })
})

const described = (schema: ToolSchema) =>
  defineTool({ name: 'a', inputSchema: schema, run: () => text('') }).description

test('the arguments are described as parameters, always with required', () => {
  const shape = Type.Object({
    path: Type.String({ description: 'A path.' }),
    deep: Type.Optional(
      Type.Object({ a: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    ),
  })
  expect(described(shape)).toEqual({
    name: 'a',
    parameters: {
      path: { type: 'string', summary: 'A path.', required: true },
      deep: {
        type: 'object',
        properties: { a: { type: 'boolean', required: false } },
        required: false,
      },
    },
  })
})

test('with a summary beside it, the description of a property is the long text', () => {
  const tool = defineTool({
    name: 'a',
    description: 'Reads.',
    inputSchema: Type.Object({
      path: Type.String({ summary: 'A path.', description: 'Relative.' }),
    }),
    run: () => text(''),
  })
  expect(tool.description.parameters).toEqual({
    path: { type: 'string', summary: 'A path.', description: 'Relative.', required: true },
  })
  expect(tool.definition).toEqual({
    name: 'a',
    description: 'Reads.\n\n### `path`\n\nRelative.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'A path.' } },
      required: ['path'],
      additionalProperties: false,
    },
  })
})

test('the long texts of list items are kept too', () => {
  const item = Type.Object({ at: Type.String({ summary: 'When.', description: 'In UTC.' }) })
  const rows = described(Type.Object({ rows: Type.Array(item) })).parameters?.['rows']
  expect(rows?.items?.properties?.['at']).toMatchObject({
    summary: 'When.',
    description: 'In UTC.',
  })
})

test('a value that is neither given nor required is absent; every given value is present', () => {
  const minimal = defineTool({ name: 'a', run: () => text('') })
  expect(minimal.description).toEqual({ name: 'a', parameters: {} })
  const full = defineTool({
    name: 'a',
    title: 'A',
    summary: 'Does a.',
    description: 'Long.',
    examples: [{}],
    annotations: { readOnlyHint: true },
    outputSchema: z.object({ n: z.number() }),
    stateful: true,
    actions: ['spawn', 'fetch'],
    async *run() {
      yield 'counting'
      return { n: 1 }
    },
  })
  expect(full.description).toMatchObject({
    title: 'A',
    summary: 'Does a.',
    description: 'Long.',
    examples: '```json\n{}\n```',
    annotations: { readOnlyHint: true },
    outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    stateful: true,
    actions: ['spawn', 'fetch'],
  })
})

test('a recursive type is in inputSchema, with its references as places in it', () => {
  const { inputSchema } = descriptionToDefinition(
    described(
      Type.Object({
        tree: Type.Cyclic({ Node: Type.Object({ parts: Type.Array(Type.Ref('Node')) }) }, 'Node'),
      }),
    ),
  )
  const reference = '#/properties/tree/$defs/Node'
  expect(inputSchema).toMatchObject({
    properties: {
      tree: {
        $ref: reference,
        $defs: { Node: { properties: { parts: { type: 'array', items: { $ref: reference } } } } },
      },
    },
  })
})

test.for([
  [z.string(), 'input-not-object', /expected the schema of an object, got one of type "string"/],
  [
    z.object({ at: z.date() }),
    'no-json-schema',
    /the inputSchema of "a": zod cannot convert this schema/,
  ],
  [valibot.object({}), 'no-json-schema', /toStandardJsonSchema\(schema\)/],
] as const)('a schema that cannot describe arguments is refused: %#', ([schema, code, message]) => {
  const define = () => defineTool({ name: 'a', inputSchema: schema as never, run: () => text('') })
  expect(define).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }))
})

test('inputSchema and parameters together are refused', () => {
  const both = { name: 'a', inputSchema: Type.Object({}), parameters: {}, run: () => 'ran' }
  expect(() => defineTool(both)).toThrow(expect.objectContaining({ code: 'two-schemas' }))
})

describe('a default', () => {
  const limited = defineTool({
    name: 'limited',
    inputSchema: Type.Object({ path: Type.String(), limit: Type.Integer({ default: 3 }) }),
    run: ({ limit }) => text(String(limit)),
  })

  test('makes its parameter optional in the tool’s description', () => {
    expect(limited.description.parameters?.['limit']).toMatchObject({ required: false, default: 3 })
    expect(limited.definition.inputSchema).toMatchObject({ required: ['path'] })
  })

  test('is filled in the same way in a test and by a host', async () => {
    const tested = await testTool(limited, { path: 'a' })
    const context = { signal: AbortSignal.timeout(5000), root: '/', answers: {} }
    const call = { id: 'c', name: 'limited', arguments: { path: 'a' } }
    const hosted = await toTool(limited).execute(call, context)
    expect([tested.content, hosted.content]).toEqual([[text('3')], [text('3')]])
    const withLimit = await testTool(limited, { path: 'a', limit: 4 })
    expect(withLimit.content).toEqual([text('4')])
  })

  test('of `parameters` is filled in too', async () => {
    const tool = defineTool({
      name: 'a',
      parameters: { limit: { type: 'integer', default: 3 } },
      run: (args) => text(String(required(args, 'limit'))),
    })
    expect((await testTool(tool, {})).content).toEqual([text('3')])
  })

  test('is checked like a value of a caller', async () => {
    const tool = defineTool({
      name: 'a',
      inputSchema: { type: 'object', properties: { limit: { type: 'integer', default: 'odd' } } },
      run: () => text(''),
    })
    expect((await testTool(tool, {})).isError).toBe(true)
  })

  test('of a schema library is filled in by the library', async () => {
    const tool = defineTool({
      name: 'a',
      inputSchema: z.object({ at: z.string().transform(Number).default(5) }),
      run: ({ at }) => text(String(at)),
    })
    expect((await testTool(tool, {})).content).toEqual([text('5')])
  })
})

describe('an invalid definition is refused when it is created', () => {
  const run = () => text('')

  test.for(['', 'my tool', 'fs.read', 'é', 'a\n', 'x'.repeat(129), undefined, 7])(
    'the name %j',
    (name) => {
      expect(() => defineTool({ name: name as string, run })).toThrow(
        expect.objectContaining({
          code: 'bad-name',
          message: expect.stringContaining(
            'name: expected letters, digits, "_" and "-", at most 128 of them, got ',
          ),
        }),
      )
    },
  )

  test('two tools with one name, with their places', () => {
    const [a, b] = ['a', 'b'].map((name) => defineTool({ name, run })) as [DefinedTool, DefinedTool]
    const twice = expect.objectContaining({
      code: 'duplicate-name',
      message:
        'tools[0] and tools[2] are both called "a"; expected a name of its own for each tool of a program',
    })
    expect(() => describeTools([a, b, a])).toThrow(twice)
    expect(() => describeTools([])).toThrow(expect.objectContaining({ code: 'no-tools' }))
  })
})
