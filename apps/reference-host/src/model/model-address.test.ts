import { expect, test } from 'vitest'
import { explainUnsafe, readModelAddress } from './model-address.ts'

test.for<[object, object | undefined]>([
  [
    { provider: 'anthropic' },
    { url: 'https://api.anthropic.com/v1', keyName: 'ANTHROPIC_API_KEY' },
  ],
  [{ provider: 'openai' }, { url: 'https://gateway.example', keyName: 'OPENAI_API_KEY' }],
  [
    { provider: 'openai', base_url: 'https://x.example', api_key_env: 'MY' },
    { url: 'https://x.example', keyName: 'MY' },
  ],
  [
    { provider: 'google' },
    { url: 'https://generativelanguage.googleapis.com/v1beta', keyName: 'GEMINI_API_KEY' },
  ],
  [
    { provider: 'openai-compatible', base_url: 'http://localhost:1' },
    { url: 'http://localhost:1' },
  ],
  [{ provider: 'openai-compatible' }, undefined],
  [{ provider: 'scripted' }, undefined],
  [{}, undefined],
])('%j is asked at %j', ([model, expected]) => {
  expect(
    readModelAddress(model, { OPENAI_BASE_URL: 'https://gateway.example', ANTHROPIC_BASE_URL: '' }),
  ).toEqual(expected)
})

test.for([
  ['https://a.example', true],
  ['http://localhost:11434/v1', true],
  ['http://127.0.0.1:1', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:1', true],
  ['http://a.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://192.168.0.1', false],
  ['http://127.0.0.1@evil.example', false],
  ['no address', false],
] as const)('a key may go to %s: %s', ([url, isSafe]) => {
  expect(explainUnsafe(url) === undefined).toBe(isSafe)
})
