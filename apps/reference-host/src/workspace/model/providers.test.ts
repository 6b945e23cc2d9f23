import { expect, test } from 'vitest'
import { openModel } from './open-model.ts'
import { profileOf } from './providers.ts'

const environment = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' }

test.for(['anthropic', 'openai', 'google', 'openai-compatible'] as const)(
  'what a model of %s takes is known without its client',
  async (provider) => {
    const model = { provider, name: 'm', base_url: 'https://models.example/v1' }
    const opened = await openModel(model, { environment, format: {} })
    expect(opened.ok && opened.profile).toBeDefined()
    expect(await profileOf(model)).toEqual(opened.ok && opened.profile)
  },
)

test('nobody knows what a script takes, or no model', async () => {
  expect([await profileOf({ provider: 'scripted' }), await profileOf(undefined)]).toEqual([
    undefined,
    undefined,
  ])
})
