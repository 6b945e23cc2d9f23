import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as forServers from './client-components.ts'
import * as components from './index.ts'

test('server components of React may render everything that the package exports, which is only components', () => {
  const code = readFileSync(new URL('client-components.ts', import.meta.url), 'utf8')
  expect(code).toMatch(/^\/\/ .*\n'use client'\n/)
  expect(forServers).toEqual(components)
  for (const [name, value] of Object.entries(components)) {
    expect(name).toMatch(/^[A-Z]/)
    expect(value).toBeTypeOf('function')
  }
})
