import fc from 'fast-check'

/** The keywords that these schemas use. */
interface Schema {
  type?: string
  $defs?: Record<string, Schema>
  $ref?: string
  anyOf?: Schema[]
  not?: Schema
  const?: string
  enum?: string[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  required?: string[]
  pattern?: string
  minimum?: number
  maximum?: number
}

/** Creates values that a schema accepts. `depth` limits how often a schema contains itself. */
export function makeValues(schema: Schema, depth = 3): fc.Arbitrary<unknown> {
  const { $defs, $ref, anyOf, type, minimum: min = -1e9, maximum: max = 1e9 } = schema
  if ($defs) return makeValues(resolve($defs[$ref ?? ''] ?? {}, $defs, depth), depth)
  if (type === 'object') return makeObjects(schema, depth)
  if (anyOf) return fc.oneof(...anyOf.map((one) => makeValues(one, depth)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (type === 'array') return fc.array(makeValues(schema.items ?? {}, depth), { maxLength: 3 })
  if (type === 'string') return makeStrings(schema)
  if (type === 'integer') return fc.integer({ min, max })
  if (type === 'number') return fc.double({ min, max, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  return fc.jsonValue({ maxDepth: 2 })
}

/** Expands a recursive schema, down to a depth at which it accepts only an empty object. */
function resolve(schema: Schema, $defs: Record<string, Schema>, depth: number): Schema {
  const resolved = JSON.stringify(schema, (_, value: Schema) => {
    if (typeof value?.$ref !== 'string') return value
    return depth > 0 ? resolve($defs[value.$ref] ?? {}, $defs, depth - 1) : { type: 'object' }
  })
  return JSON.parse(resolved)
}

function makeStrings({ pattern, not }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string()
  const matching = samples.filter((it) => new RegExp(pattern).test(it))
  return fc.constantFrom(...matching.filter((it) => !not?.enum?.includes(it)))
}

/** Some values for every pattern. */
const samples = [
  'text',
  'git.status',
  'a_1.b2.c',
  '0123456789abcdef'.repeat(4),
  'f'.repeat(64),
  '2025-01-12T15:00:58Z',
  '2025-01-12T15:00+01:00',
  '2025-12-31T23:59:59.123456-0330',
]

function makeObjects(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], anyOf = [{}], additionalProperties } = schema
  const own = fc.constantFrom(...anyOf).chain(({ required: more = [] }) =>
    fc.tuple(
      ...Object.entries(properties).map(([name, property]) => {
        const field = makeValues(property, depth).map((value) => ({ [name]: value }))
        if (required.includes(name) || more.includes(name)) return field
        return property.not ? nothing : fc.oneof(nothing, field)
      }),
    ),
  )
  const others = additionalProperties
    ? fc.dictionary(fc.string(), makeValues(additionalProperties, depth), { maxKeys: 2 })
    : fc.dictionary(fc.constantFrom('x-own', '__proto__'), fc.jsonValue(), { maxKeys: 2 })
  return fc.tuple(others, own).map(([extra, fields]) => Object.assign({ ...extra }, ...fields))
}

const nothing = fc.constant({})
