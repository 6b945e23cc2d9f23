import { expect, test } from 'vitest'
import { toPrompt } from '../ai-sdk.ts'
import { toRequest as toAnthropic } from '../anthropic.ts'
import type { ModelRequest } from '../model/model-request.ts'
import { toRequest as toGoogle } from '../google.ts'
import { toChatRequest } from '../openai/chat.ts'
import { toResponsesRequest } from '../openai/responses.ts'

const asked: ModelRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Go on?' }] }],
  tools: [{ name: 'answer', inputSchema: { type: 'object' } }],
}
const must: ModelRequest = { ...asked, toolChoice: 'required' }

test('that a tool must be called is said to each provider in its own words', () => {
  expect(toAnthropic(must)).toMatchObject({ tool_choice: { type: 'any' } })
  expect(toGoogle(must).config).toMatchObject({
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  })
  expect(toChatRequest(must)).toMatchObject({ tool_choice: 'required' })
  expect(toResponsesRequest(must)).toMatchObject({ tool_choice: 'required' })
  expect(toPrompt(must)).toMatchObject({ toolChoice: { type: 'required' } })
})

test('by default nothing is said of it', () => {
  for (const write of [toAnthropic, toGoogle, toChatRequest, toResponsesRequest, toPrompt])
    expect(JSON.stringify(write(asked))).not.toMatch(/tool_?choice|toolConfig/i)
})
