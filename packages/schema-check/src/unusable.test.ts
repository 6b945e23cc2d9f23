import { expect, test } from 'vitest'
import { compileSchema } from './compile-schema.ts'

test.for([
  [{ type: 'string' }, undefined],
  [{ pattern: '^(?=(a+)+$)' }, ['schema-pattern']],
  [{ $ref: 'https://example.com/schema' }, ['schema-reference']],
  [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, ['schema-dialect']],
] as const)('%j can be known to be unusable before there is a value: %j', ([schema, codes]) => {
  const compiled = compileSchema(schema)
  const unusable = compiled.ok ? compiled.unusable : []
  expect(unusable?.map(({ code }) => code)).toEqual(codes)
  expect(compiled.ok && compiled.check('a').verdict === 'unchecked').toBe(codes !== undefined)
})
