import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.suite.ts'

test('Codex: searches, pictures and what the shell ran are calls with results', () => {
  const { said, before } = readFixture('codex/rollout-2026-02-03T04-05-00-0001.jsonl')
  expect(said).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        call: { id: 'search-1', name: 'tool_search', arguments: { query: 'read a log', limit: 1 } },
      }),
      expect.objectContaining({
        result: expect.objectContaining({ id: 'search-1' }),
      }),
      expect.objectContaining({
        call: expect.objectContaining({ id: 'web_search', name: 'web_search' }),
      }),
      expect.objectContaining({ result: { id: 'web_search', content: [], isError: false } }),
      expect.objectContaining({
        call: {
          id: 'ig_1',
          name: 'image_generation',
          arguments: { input: 'a lighthouse at night' },
        },
      }),
      expect.objectContaining({
        result: expect.objectContaining({
          id: 'ig_1',
          content: [expect.objectContaining({ type: 'image' })],
        }),
      }),
      expect.objectContaining({
        type: 'assistant_message',
        content: [expect.objectContaining({ text: 'Both lamps are lit.' })],
        usage: expect.objectContaining({ inputTokens: 60, outputTokens: 8 }),
      }),
    ]),
  )
  expect(before).toMatchObject({ calls: 6, results: 6, unknown: 7 })
})
