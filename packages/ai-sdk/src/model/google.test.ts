import { createGoogle } from '@ai-sdk/google'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import {
  answerWithPicture,
  ask,
  data,
  makeMessage,
  PNG,
  REFUSALS,
  serve,
} from './streams.support.ts'

const gemini = (baseURL: string): LanguageModelV4 =>
  createGoogle({ apiKey: 'k', baseURL })('gemini-3-pro-preview')

const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 }

const chunk = (parts: readonly object[], more: object = {}): string =>
  data({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    usageMetadata,
    modelVersion: 'gemini-3-pro-preview',
    responseId: 'r1',
  })

const calls = [
  chunk([{ text: 'Hm.', thought: true }]),
  chunk([{ text: 'One ' }]),
  chunk([{ text: 'moment.' }]),
  chunk([
    { functionCall: { name: 'fs_read', args: { path: 'a' } }, thoughtSignature: 'sealed' },
    { functionCall: { name: 'invented', args: {} } },
  ]),
  chunk([], { finishReason: 'STOP' }),
]
const done = [
  chunk([{ text: 'Done.' }]),
  chunk([{ text: '', thoughtSignature: 'of the words' }], { finishReason: 'STOP' }),
]

test('text and reasoning are streamed; parallel calls and an invented name are complete', async () => {
  const { url, paths } = await serve({ lines: calls })
  const events = await ask(gemini(url))
  expect(paths).toEqual(['/v1/models/gemini-3-pro-preview:streamGenerateContent?alt=sse'])
  expect(events.slice(0, -1)).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'moment.' },
  ])
  const { calls: made, ...response } = makeMessage(events)
  expect(response).toMatchObject({ content: [{ text: 'One moment.' }], reasoning: 'Hm.' })
  expect(made).toMatchObject([
    { name: 'fs.read', arguments: { path: 'a' } },
    { name: 'invented', arguments: {} },
  ])
  expect(new Set(made.map(({ id }) => id)).size).toBe(2)
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 5, outputTokens: 7 } })
})

test('signatures are sent back with their parts, and the picture is in the response', async () => {
  const { url, bodies } = await serve({ lines: calls }, { lines: done }, { lines: done })
  const first = makeMessage(await ask(gemini(url)))
  // In the format in which a conversation is stored.
  const kept: typeof first = JSON.parse(JSON.stringify(first))
  const second = makeMessage(await answerWithPicture(gemini(url), kept))
  const { contents } = bodies[1] as { contents: unknown[] }
  expect(contents.slice(1)).toMatchObject([
    {
      role: 'model',
      parts: [
        { text: 'Hm.', thought: true },
        { text: 'One moment.' },
        { functionCall: { name: 'fs_read', args: { path: 'a' } }, thoughtSignature: 'sealed' },
        { functionCall: { name: 'invented' } },
      ],
    },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            name: 'fs_read',
            response: { content: expect.stringContaining('A pixel:') },
            parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
          },
        },
        {
          functionResponse: {
            name: 'invented',
            response: { error: expect.stringContaining('failed') },
          },
        },
      ],
    },
  ])
  await ask(gemini(url), [{ role: 'user', content: [{ type: 'text', text: 'And?' }] }, second])
  const last = (bodies[2] as { contents: { parts: object[] }[] }).contents.at(-1)?.parts
  expect(JSON.stringify(last)).toContain('of the words')
  expect(last?.map((part) => ('text' in part ? part.text : part)).join('')).toBe('Done.')
})

test.for(REFUSALS)('HTTP %s is %s, with the message of Google', async ([status, code]) => {
  const error = { code: status, message: 'so it is', status: 'SOME' }
  const { url } = await serve({ status, lines: [JSON.stringify({ error })] })
  await expect(ask(gemini(url))).rejects.toMatchObject({
    code,
    message: `so it is (HTTP ${status})`,
  })
})

test('a failure in the middle of a stream is an error with its reason', async () => {
  const error = { code: 503, message: 'overloaded for now', status: 'UNAVAILABLE' }
  const { url } = await serve({ lines: [...calls.slice(0, 2), data({ error })] })
  await expect(ask(gemini(url))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'overloaded for now (HTTP 503)',
  })
})

test('a call that Gemini could not write is an error that can be retried', async () => {
  const { url } = await serve({ lines: [chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL' })] })
  await expect(ask(gemini(url))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'the provider ended the response early (MALFORMED_FUNCTION_CALL)',
  })
})

test('a stream that breaks off, or ends too early, is an error that can be retried', async () => {
  const broken = await serve({ lines: calls.slice(0, 3), breaks: true })
  await expect(ask(gemini(broken.url))).rejects.toMatchObject({ code: 'unavailable' })
  const short = await serve({ lines: calls.slice(0, 3) })
  await expect(ask(gemini(short.url))).rejects.toMatchObject({ code: 'unavailable' })
})

test('a message that a filter ended has that reason, even without text', async () => {
  const { url } = await serve({ lines: [chunk([], { finishReason: 'SAFETY' })] })
  expect(await ask(gemini(url))).toMatchObject([
    { message: { content: [], calls: [] }, cut: 'filter' },
  ])
})
