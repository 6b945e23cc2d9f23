import { expect, test } from 'vitest'
import { describeLoginSettings } from './describe-login.ts'

test.for([
  ['s3cret', '***'],
  ['${SECRET}', '${SECRET}'],
  ['s3cret${SECRET:-}', '***${SECRET:-}'],
] as const)('of the secret %j of a login, %j is shown', ([secret, masked]) => {
  expect(describeLoginSettings({ client_secret: secret }).settings).toBe(
    JSON.stringify({ client_secret: masked }),
  )
})
