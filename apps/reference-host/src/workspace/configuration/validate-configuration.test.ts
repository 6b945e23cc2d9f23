import { generateValidator } from '@toolblocks/schema-check/generate'
import { expect, test } from 'vitest'
import { configurationSchema } from './configuration-schema.ts'
import { userSettingsSchema } from './user-settings-schema.ts'

// To write it again: pnpm exec vitest run apps/reference-host/src/configuration -u
test('the validator of the configuration is the one its schema gives today', async () => {
  await expect(generateValidator(configurationSchema)).toMatchFileSnapshot(
    './validate-configuration.js',
  )
})

test('the validator of the user’s settings is the one their schema gives today', async () => {
  await expect(generateValidator(userSettingsSchema)).toMatchFileSnapshot(
    './validate-user-settings.js',
  )
})
