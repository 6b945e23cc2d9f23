import { expect, test } from 'vitest'
import { createWritingAjv, writeModule } from '../written/write-module.ts'

// To write them again: pnpm exec vitest run packages/schema-check -u
test.for([
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
  ['draft-07', 'http://json-schema.org/draft-07/schema'],
] as const)('the validator of %s is the one Ajv writes today', async ([dialect, name]) => {
  const text = writeModule(createWritingAjv(dialect), name, '../written/called-by-validators.ts')
  await expect(text).toMatchFileSnapshot(`./validate-${dialect}.js`)
})
