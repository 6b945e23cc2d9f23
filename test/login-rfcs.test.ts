import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OAUTH_2, PKCE } from './login-rfcs/oauth-2.ts'
import { SERVER_METADATA, RESOURCE_METADATA } from './login-rfcs/metadata.ts'
import { RESOURCE_INDICATORS, ISSUER_OF_ANSWER, OAUTH_SECURITY } from './login-rfcs/security.ts'
import type { Rule } from './login-rfcs/rule.ts'

const RFCS: Readonly<Record<string, readonly Rule[]>> = {
  'RFC 6749, OAuth 2.0': OAUTH_2,
  'RFC 7636, PKCE': PKCE,
  'RFC 8414, metadata of an authorization server': SERVER_METADATA,
  'RFC 8707, resource indicators': RESOURCE_INDICATORS,
  'RFC 9207, the issuer of an answer': ISSUER_OF_ANSWER,
  'RFC 9700, security of OAuth 2.0': OAUTH_SECURITY,
  'RFC 9728, metadata of a protected resource': RESOURCE_METADATA,
}

const root = join(import.meta.dirname, '..')

/** Whether a file has a test with a title: a complete text of its source, not a part of another one. */
function hasTest(file: string, title: string): boolean {
  if (!existsSync(join(root, file))) return false
  const source = readFileSync(join(root, file), 'utf8')
  return [`'${title}'`, `\`${title}\``].some((text) => source.includes(text))
}

describe.for(Object.entries(RFCS))('%s', ([, rules]) => {
  test.for(rules)(
    '%s: %s: a test shows it, or the table says why it does not apply',
    ([, , by]) => {
      expect(by.length).toBeGreaterThan(0)
      const named = typeof by === 'string' ? [] : by
      expect(named.filter(({ file, title }) => !hasTest(file, title))).toEqual([])
    },
  )
})

test('the table has the seven RFCs of a login, and most rules are shown by tests', () => {
  const numbers = Object.keys(RFCS).map((name) => /^RFC (\d+)/.exec(name)?.[1])
  expect(numbers).toEqual(['6749', '7636', '8414', '8707', '9207', '9700', '9728'])
  const all = Object.values(RFCS).flat()
  const tested = all.filter(([, , by]) => typeof by !== 'string')
  expect(tested.length / all.length).toBeGreaterThan(0.8)
})
