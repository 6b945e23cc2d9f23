import { anthropicProfile } from '@toolblocks/formatter/anthropic'
import { openAiCompatibleProfile } from '@toolblocks/formatter/openai'
import type { Delivery, ToolResult } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import { textForModel } from './text-for-model.ts'

const data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const uri = 'file:///a.png'
const result: ToolResult = {
  content: [
    { type: 'text', text: 'Drawn.' },
    { type: 'resource', resource: { uri, blob: data, mimeType: 'image/png' } },
  ],
  isError: false,
}
const reference: Delivery = {
  callId: 'c',
  block: 1,
  uri,
  sha256: '0'.repeat(64),
  turn: 1,
  form: 'reference',
}
const delivered = { text: 'Drawn, as before.', deliveries: [] }

test('the delivered text is used, otherwise the result is formatted by the settings', () => {
  expect(textForModel(result, delivered, { format: {} })).toBe('Drawn, as before.')
  const value: ToolResult = { ...result, content: [], structuredContent: { a: 1 } }
  expect(textForModel(value, undefined, { format: { structured: 'both' } })).toContain('{"a":1}')
})

test('a model that does not accept a picture gets a note, except for a picture that it only gets a reference to', () => {
  const options = { format: {}, profile: openAiCompatibleProfile }
  expect(textForModel(result, delivered, options)).toMatch(/was omitted[^]*Drawn, as before\./)
  const pointed = { ...delivered, deliveries: [reference] }
  expect(textForModel(result, pointed, options)).toBe('Drawn, as before.')
})

test('a model that accepts the picture gets the text alone', () => {
  const options = { format: {}, profile: anthropicProfile }
  expect(textForModel(result, delivered, options)).not.toContain('left out')
})
