import { generateValidator } from '@toolblocks/schema-check/generate'
import { expect, test } from 'vitest'
import { configurationSchema } from './configuration-schema.ts'
import { userSettingsSchema } from './user-settings-schema.ts'

// To update the snapshots: pnpm exec vitest run apps/reference-host/src/workspace/configuration/validate-configuration.test.ts -u
test('the generated validator of the configuration is up to date', async () => {
  await expect(generateValidator(configurationSchema)).toMatchFileSnapshot(
    './validate-configuration.js',
  )
})

test('the generated validator of the user’s settings is up to date', async () => {
  await expect(generateValidator(userSettingsSchema)).toMatchFileSnapshot(
    './validate-user-settings.js',
  )
})
