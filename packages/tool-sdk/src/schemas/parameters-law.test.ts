import { isJsonObject, schemaToParameters } from '@toolblocks/protocol'
import { parametersToSchema } from '@toolblocks/protocol/internal'
import { compileSchema } from '@toolblocks/schema-check'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const names = ['a', 'b', 'c', 'd/e', '%']
const reference = fc
  .constantFrom(...names)
  .map((name) => ({ $ref: `#/$defs/${encodeURIComponent(name.replaceAll('/', '~1'))}` }))
const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema' },
    fc.constantFrom({ type: 'integer' }, { type: 'string' }, { enum: ['x', 1] }, {}),
    reference,
    fc
      .tuple(reference, fc.constantFrom({ description: 'd' }, { minimum: 1 }, { title: 't' }))
      .map(([one, other]) => ({ ...one, ...other })),
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ anyOf: fc.tuple(tie('schema'), fc.constant({ type: 'null' })) }),
  ),
  // A required name without a property is what parameters cannot say.
  object: fc
    .tuple(fc.dictionary(fc.constantFrom('p', 'q'), tie('schema')), fc.boolean())
    .map(([properties, isRequired]) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter(() => isRequired),
    })),
}))
const anyArguments = fc.record({
  type: fc.constant('object'),
  properties: fc.dictionary(fc.constantFrom('p', 'q', 'r'), anySchema, { minKeys: 1 }),
  required: fc.subarray(['p', 'q']),
  additionalProperties: fc.constant(false),
  $defs: fc
    .tuple(...names.map(() => anySchema))
    .map((schemas) => Object.fromEntries(names.map((name, index) => [name, schemas[index]]))),
})
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    fc.constantFrom(1, 0, 'x', null, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('p', 'q'), tie('value'), { maxKeys: 2 }),
  ),
}))
const anyValues = fc.dictionary(fc.constantFrom('p', 'q', 'r'), anyValue)

test('law: parameters made from a schema accept the values that the schema accepts, with any further definitions', () => {
  fc.assert(
    fc.property(
      anyArguments,
      fc.array(anyValues, { minLength: 1, maxLength: 5 }),
      (schema, values) => {
        const { properties, required } = schema
        // A required name without a property is what parameters cannot say.
        fc.pre(required.every((name) => Object.hasOwn(properties, name)))
        const one = compileSchema(schema)
        const other = compileSchema(parametersToSchema(schemaToParameters(schema)))
        expect(other.ok).toBe(one.ok)
        if (!one.ok || !other.ok) return
        for (const value of values) {
          if (!isJsonObject(value)) continue
          expect(other.check(value).verdict).toBe(one.check(value).verdict)
        }
      },
    ),
    { numRuns: 500 },
  )
})
