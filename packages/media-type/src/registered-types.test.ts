import { expect, test } from 'vitest'
import { formatRegisteredTypes } from './registered-types.suite.ts'

// To update it: pnpm exec vitest run packages/media-type/src/registered -u
test('the registered types are those of the current mime-db', async () => {
  await expect(formatRegisteredTypes()).toMatchFileSnapshot('./registered-types.ts')
})
