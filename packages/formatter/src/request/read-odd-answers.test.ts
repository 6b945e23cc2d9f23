import { expect, test } from 'vitest'
import { readAnswer as readAnthropic } from '../anthropic.ts'
import type { ModelAnswer } from '../model/model-request.ts'
import { readAnswer as readGoogle } from '../google.ts'
import { readChatMessage } from '../openai/chat.ts'
import { readResponse } from '../openai/responses.ts'

const ODD = '{"toString":false}'
// As JSON of a provider, which types do not hold.
const ANSWERS: readonly [provider: string, message: ModelAnswer][] = [
  [
    'Anthropic',
    readAnthropic(
      JSON.parse(`{"content":[{"type":"tool_use","id":${ODD},"name":${ODD},"input":{}}]}`),
    ),
  ],
  [
    'Google',
    readGoogle(JSON.parse(`{"parts":[{"functionCall":{"id":${ODD},"name":${ODD},"args":{}}}]}`)),
  ],
  [
    'OpenAI Chat',
    readChatMessage(
      JSON.parse(`{"content":null,"tool_calls":[{"id":${ODD},"function":{"name":${ODD}}}]}`),
    ),
  ],
  [
    'OpenAI Responses',
    readResponse(
      JSON.parse(
        `{"output":[{"type":"function_call","call_id":${ODD},"name":${ODD},"arguments":${ODD}}]}`,
      ),
    ),
  ],
]

test.for(ANSWERS)('%s: a call whose name is an object is read as its JSON', ([, { calls }]) => {
  expect(calls.map(({ name }) => name)).toEqual([ODD])
})
