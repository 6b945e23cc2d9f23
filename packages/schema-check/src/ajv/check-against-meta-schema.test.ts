import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Dialect } from './compile-with-ajv.ts'
import { checkAgainstMetaSchema } from './check-against-meta-schema.ts'
import { createGeneratorAjv } from '../generate.ts'

const dialects: readonly Dialect[] = ['2020-12', 'draft-07']

const keyword = fc.constantFrom(
  'type',
  'enum',
  'required',
  'pattern',
  'properties',
  'items',
  'prefixItems',
  'anyOf',
  'if',
  '$anchor',
  '$id',
  '$defs',
  'minimum',
  'maxLength',
  'dependencies',
)
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(true, 'string', 'strng', 1, -1, '^a#', ['a', 'a'], [], {}, null),
    fc.dictionary(keyword, fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 }))),
  ),
}))

test.for(dialects)(
  'the problems of a schema of %s are those that Ajv finds when it compiles the meta-schema',
  (dialect) => {
    const ajv = createGeneratorAjv(dialect)
    const seen = new Set<boolean>()
    fc.assert(
      fc.property(fc.dictionary(keyword, schema), (document) => {
        const isSchema = ajv.validateSchema(document) === true
        seen.add(isSchema)
        expect(checkAgainstMetaSchema(document, dialect)).toEqual(isSchema ? [] : ajv.errors)
      }),
      { numRuns: 500 },
    )
    expect(seen.size).toBe(2)
  },
)
