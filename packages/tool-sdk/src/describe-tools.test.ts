import { parseToolDescriptions } from '@toolblocks/parser'
import { descriptionToDefinition, type JsonSchema } from '@toolblocks/protocol'
import { compileSchema } from '@toolblocks/schema-check'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import * as valibot from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { DefinedTool } from './run/defined-tool.ts'
import { defineTool } from './define-tool.ts'
import { describeTools } from './describe-tools.ts'
import { text } from './results/blocks.ts'
import type { ToolSchema } from './schemas/schema.ts'

/** What a host makes of what a tool says of itself. */
function heard(tool: DefinedTool): JsonSchema {
  const parsed = parseToolDescriptions(JSON.stringify(describeTools([tool])))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  expect(parsed.warnings).toEqual([])
  return descriptionToDefinition(parsed.tools[0]!).inputSchema
}

const taking = (schema: ToolSchema): DefinedTool =>
  defineTool({ name: 'probe', inputSchema: schema, run: () => text('') })

const point = z.object({ x: z.number(), y: z.number().optional() })
interface Tree {
  name: string
  parts: Tree[]
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), parts: z.array(tree) }))

const kinds: Record<string, ToolSchema> = {
  nothing: Type.Object({}),
  'nested objects': Type.Object({ a: Type.Object({ b: Type.Object({ c: Type.Integer() }) }) }),
  'closed objects': Type.Object(
    { a: Type.Object({ b: Type.Optional(Type.Null()) }, { additionalProperties: false }) },
    { additionalProperties: false },
  ),
  'open objects': Type.Object({ a: Type.String() }, { additionalProperties: true }),
  'objects of one kind of value': Type.Object({ a: Type.Record(Type.String(), Type.Number()) }),
  'lists of objects': Type.Object({
    a: Type.Array(Type.Object({ b: Type.Optional(Type.String()) })),
  }),
  enums: Type.Object({ a: Type.Enum(['x', 'y']), b: Type.Optional(Type.Enum([1, 2])) }),
  defaults: Type.Object({
    a: Type.Optional(Type.Integer({ default: 3 })),
    b: Type.String({ default: 'x' }),
  }),
  unions: Type.Object({ a: Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()]) }),
  intersections: Type.Intersect([
    Type.Object({ a: Type.String() }),
    Type.Object({ b: Type.Optional(Type.String()) }),
  ]),
  tuples: Type.Object({ a: Type.Tuple([Type.String(), Type.Number()]) }),
  recursion: Type.Object({
    a: Type.Cyclic({ N: Type.Object({ n: Type.Optional(Type.Ref('N')) }) }, 'N'),
    b: Type.Cyclic({ N: Type.Object({ m: Type.Array(Type.Ref('N')) }) }, 'N'),
  }),
  'recursion at the top': Type.Cyclic({ N: Type.Object({ n: Type.Optional(Type.Ref('N')) }) }, 'N'),
  'texts and limits': Type.Object({
    a: Type.String({ description: 'A.', minLength: 1, pattern: '^a', examples: ['a'] }),
    b: Type.Integer({ summary: 'B.', description: 'Long.', minimum: 1 }),
  }),
  'names of keywords': Type.Object({
    enum: Type.String(),
    $ref: Type.String(),
    properties: Type.Object({ default: Type.Boolean() }),
  }),
  'by Zod': z.object({ at: point, mode: z.enum(['a', 'b']).default('a'), rest: z.array(point) }),
  'by Zod, recursive': z.object({ tree }),
  'by ArkType': type({ path: 'string', 'times?': 'number.integer > 0', tags: 'string[]' }),
  'by Valibot': toStandardJsonSchema(
    valibot.object({ path: valibot.string(), times: valibot.optional(valibot.number(), 1) }),
  ),
  'by hand': {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    required: ['a'],
    $defs: { a: { type: 'string' } },
  },
}

test.for(Object.entries(kinds))(
  'a host receives the schema that is checked: %s',
  ([, toolSchema]) => {
    const tool = taking(toolSchema)
    const schema = heard(tool)
    expect(schema).toEqual(tool.definition.inputSchema)
    expect(compileSchema(schema)).toMatchObject({ ok: true })
    expect(schema).toHaveProperty('type', 'object')
  },
)

test('a host receives every schema of fields, whatever they contain', () => {
  const { field } = fc.letrec<{ field: TSchema }>((tie) => ({
    field: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<TSchema>(Type.String(), Type.Integer({ minimum: 1 }), Type.Null()),
      fc.string().map((description) => Type.String({ description })),
      fc.jsonValue().map((preset) => Type.Unknown({ default: preset })),
      tie('field').map((items) => Type.Array(items)),
      tie('field').map((inner) => Type.Object({ inner, open: Type.String() })),
      tie('field').map((inner) =>
        Type.Object({ inner: Type.Optional(inner) }, { additionalProperties: false }),
      ),
      fc.tuple(tie('field'), tie('field')).map((both) => Type.Union(both)),
      fc.tuple(tie('field'), tie('field')).map((both) => Type.Tuple(both)),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), field), fc.boolean(), (fields, isOptional) => {
      const entries = Object.entries(fields).map(([name, schema]) => [
        name,
        isOptional ? Type.Optional(schema) : schema,
      ])
      const tool = taking(Type.Object(Object.fromEntries(entries)))
      expect(heard(tool)).toEqual(tool.definition.inputSchema)
    }),
    { numRuns: 200 },
  )
})

test('arguments that the schema does not name are refused, unless it allows them', () => {
  expect(taking(z.object({})).definition.inputSchema).toHaveProperty('additionalProperties', false)
  expect(taking(z.looseObject({})).definition.inputSchema).not.toHaveProperty(
    'additionalProperties',
    false,
  )
})

test('recursive arguments are checked at every depth', () => {
  const { inputSchema } = taking(kinds['recursion']!).definition
  const compiled = compileSchema(inputSchema)
  const verdict = (value: unknown) => (compiled.ok ? compiled.check(value).verdict : 'no schema')
  expect(verdict({ a: { n: { n: {} } }, b: { m: [{ m: [] }] } })).toBe('valid')
  expect(verdict({ a: { n: { n: 1 } }, b: { m: [] } })).toBe('invalid')
  expect(verdict({ a: {}, b: { m: [{}] } })).toBe('invalid')
})
