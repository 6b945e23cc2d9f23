import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ValidateFunction } from 'ajv'
import { expect, onTestFinished, test } from 'vitest'
import { compileSchema } from './compile-schema.ts'
import { wrapValidator } from './generated.ts'
import { generateValidator } from './generate.ts'

/** Next to the sources, where the module finds its imports. */
async function load(text: string): Promise<ValidateFunction> {
  const folder = await mkdtemp(join(import.meta.dirname, '.written-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'validate.mjs')
  await writeFile(file, text)
  const { validate }: { validate: ValidateFunction } = await import(file)
  return validate
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2, pattern: '^[a-z]' },
    kind: { enum: ['a', 'b', 1] },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' }, uniqueItems: true },
    either: { anyOf: [{ type: 'string' }, { type: 'object', required: ['x'] }] },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { tag: { type: 'string', minLength: 1 } },
}

test('a generated validator finds the problems that the compiled schema finds', async () => {
  const check = wrapValidator(await load(generateValidator(schema)))
  const compiled = compileSchema(schema)
  const values: unknown[] = [
    { name: 'ab', kind: 1, tags: ['x'], either: { x: 1 } },
    { name: '😀', kind: '1', tags: ['', '', 'x'], either: 3, more: true },
    { name: 'Ab' },
    [],
    'x',
  ]
  for (const value of values) expect(check(value)).toEqual(compiled.ok && compiled.check(value))
  expect(values.map((value) => check(value).verdict)).toEqual([
    'valid',
    ...Array.from({ length: 4 }, () => 'invalid'),
  ])
})

test.for([
  ['no schema', { type: 'strng' }, 'not a JSON Schema: /type'],
  ['a format', { format: 'email' }, 'a validator with "format" cannot be generated'],
  ['a list too long for code', { enum: Array.from({ length: 21 }, (_, n) => n) }, 'code'],
] as const)('%s is refused', ([, refused, message]) => {
  expect(() => generateValidator({ ...refused })).toThrow(message)
})
