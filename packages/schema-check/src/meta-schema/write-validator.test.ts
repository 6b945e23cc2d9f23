import { expect, test } from 'vitest'
import { writeValidator } from './write-validator.suite.ts'

// To write them again: pnpm exec vitest run packages/schema-check -u
test.for(['2020-12', 'draft-07'] as const)(
  'the validator of %s is the one Ajv writes today',
  async (dialect) => {
    await expect(writeValidator(dialect)).toMatchFileSnapshot(`./validate-${dialect}.js`)
  },
)
