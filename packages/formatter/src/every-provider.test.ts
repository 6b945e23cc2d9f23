import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AiSdkPrompt, aiSdkProfile, toPrompt } from './ai-sdk.ts'
import { toRequest as toAnthropic } from './anthropic.ts'
import type { ModelRequest } from './model/model-request.ts'
import { google2Profile, toRequest as toGoogle } from './google.ts'
import { openaiCompatibleProfile, toChatRequest, toResponsesRequest } from './openai.ts'
import { CONVERSATIONS } from './testing/conversations.suite.ts'

const anthropic = aiSdkProfile({ provider: 'anthropic.messages', modelId: 'claude' })

type Written = Pick<AiSdkPrompt, 'names' | 'changes'>

/** What each provider gets of a conversation, by the name of its file. */
const providers: readonly [string, (request: ModelRequest) => Written][] = [
  ['anthropic', toAnthropic],
  ['openai-responses', toResponsesRequest],
  ['openai-chat', toChatRequest],
  ['openai-compatible', (request) => toChatRequest(request, { profile: openaiCompatibleProfile })],
  ['google', toGoogle],
  ['google-2', (request) => toGoogle(request, { profile: google2Profile })],
  ['ai-sdk-anthropic', (request) => toPrompt(request, { profile: anthropic })],
]

test.for(providers)(
  '%s receives every kind of result byte for byte as before',
  async ([name, write]) => {
    const written = Object.entries(CONVERSATIONS).map(([of, request]) => {
      const { names: _, changes: __, ...data } = write(request)
      return `${of}\n${JSON.stringify(data, undefined, 2)}\n`
    })
    await expect(written.join('\n')).toMatchFileSnapshot(
      join(import.meta.dirname, `../golden/${name}.txt`),
    )
  },
)
