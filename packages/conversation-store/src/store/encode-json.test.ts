import { expect, onTestFinished, test } from 'vitest'
import { encodeJson } from './encode-json.ts'

const refuse = (problem: object, cause: unknown): Error =>
  Object.assign(new Error('refused', { cause }), { problem })

test('numbers that JSON cannot express are written so that they are read again', () => {
  const value = { zero: -0, most: [Infinity, -Infinity], usual: 0.5 }
  expect(JSON.parse(encodeJson(value, refuse))).toEqual(value)
})

test('an engine that cannot write a number exactly refuses it, and says which one', () => {
  const { rawJSON } = Object.getOwnPropertyDescriptors(JSON) as { rawJSON?: PropertyDescriptor }
  Reflect.deleteProperty(JSON, 'rawJSON')
  onTestFinished(() => void (rawJSON && Object.defineProperty(JSON, 'rawJSON', rawJSON)))
  const got = 'this engine cannot write the number -0'
  const problem = { path: '', message: `expected JSON: ${got}`, expected: 'JSON', got }
  expect(() => encodeJson([1, -0], refuse)).toThrow(
    expect.objectContaining({ problem: { ...problem, code: 'not-json' } }),
  )
  expect(encodeJson([1, 0], refuse)).toBe('[1,0]')
})
