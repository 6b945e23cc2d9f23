import { writeValidator } from '@toolblocks/schema-check/write'
import { expect, test } from 'vitest'
import { configurationSchema } from './configuration-schema.ts'

// To write it again: pnpm exec vitest run apps/reference-host/src/configuration -u
test('the validator of the configuration is the one its schema gives today', async () => {
  await expect(writeValidator(configurationSchema)).toMatchFileSnapshot(
    './validate-configuration.js',
  )
})
