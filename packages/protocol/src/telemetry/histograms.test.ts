import { expect, test } from 'vitest'
import { findHistogram } from './histograms.ts'

test.for([
  ['mcp.client.operation.duration', 's', 14],
  ['mcp.server.operation.duration', 's', 14],
  ['mcp.client.session.duration', 's', 14],
  ['mcp.server.session.duration', 's', 14],
  ['gen_ai.client.operation.duration', 's', 14],
  ['gen_ai.client.token.usage', '{token}', 14],
  ['gen_ai.execute_tool.duration', 's', 14],
  ['gen_ai.invoke_agent.duration', 's', 13],
] as const)('%s is in %s, with %i boundaries', ([name, unit, count]) => {
  const histogram = findHistogram(name)
  expect(histogram).toMatchObject({ unit, description: expect.stringMatching(/^[A-Z].+\.$/) })
  expect(histogram?.boundaries).toHaveLength(count)
})

test('names that the conventions do not have are unknown', () => {
  expect([findHistogram('other'), findHistogram('constructor')]).toEqual([undefined, undefined])
})
