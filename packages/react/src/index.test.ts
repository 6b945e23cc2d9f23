import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as components from './index.ts'

test('a server component of React may render every export: the entry is for clients, and has only components', () => {
  const [, first] = readFileSync(new URL('index.ts', import.meta.url), 'utf8').split('\n')
  expect(first).toBe("'use client'")
  for (const [name, value] of Object.entries(components)) {
    expect(name).toMatch(/^[A-Z]/)
    expect(value).toBeTypeOf('function')
  }
})
