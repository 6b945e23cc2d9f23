import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseToolOutput } from '../packages/parser/src/index.ts'
import { isToolRequest } from '../packages/protocol/src/index.ts'

const document = readFileSync(resolve(import.meta.dirname, '../docs/protocol.md'), 'utf8')
const examples = [...document.matchAll(/^```json (\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, kind = '', json = '']) => ({ kind, json }),
)

test('every JSON of docs/protocol.md says what it is an example of', () => {
  expect(examples.length).toBeGreaterThan(5)
  expect(document.match(/^```json/gm)).toHaveLength(examples.length)
})

test.for(examples.filter(({ kind }) => kind === 'request'))(
  'a request is one: $json',
  ({ json }) => {
    expect(isToolRequest(JSON.parse(json))).toBe(true)
  },
)

test.for(examples.filter(({ kind }) => kind === 'response'))(
  'a response is read without a warning: $json',
  ({ json }) => {
    expect(parseToolOutput(json)).toMatchObject({ format: 'blocks', warnings: [] })
  },
)

test('there are no examples of another kind', () => {
  for (const { kind } of examples) expect(['request', 'response']).toContain(kind)
})
