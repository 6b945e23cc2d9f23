import { expect, test } from 'vitest'
import { ALL_BYTES, EVERY_KIND, IMAGE, getPng } from '../testing/every-kind.support.ts'
import { formatWithin } from '../deliver/deliver-result.ts'
import { toAnthropicRequest } from '../anthropic.ts'
import { toGoogleRequest } from '../google.ts'
import type { ModelRequest } from '../model/model-request.ts'
import { toOpenAiResponsesRequest } from '../openai/responses.ts'
import { toModelText } from '../text/model-text.ts'
import {
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from '../model/profiles.ts'
import { type ModelParts, toModelParts } from './to-model-parts.ts'

const profiles = [
  anthropicProfile,
  openAiResponsesProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
  geminiProfile,
  gemini2Profile,
]

const PIXEL = getPng(1, 1)

const getMedia = ({ parts }: Pick<ModelParts, 'parts'>) =>
  parts.flatMap((part) => (part.type === 'media' ? [part.media] : []))

test.for(profiles)(
  'for $name, no result is empty, a failed one says so first, and no base64 is text',
  (profile) => {
    for (const { result, deliveries = [] } of Object.values(EVERY_KIND)) {
      const { text, parts, afterResults: behind } = toModelParts(result, profile, { deliveries })
      const labels = [...getMedia({ parts }), ...behind].map(({ label }) => label)
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      for (const each of [text, ...texts]) expect(each.trim()).not.toBe('')
      const [first] = text.split('\n\n')
      expect(/The tool call (?:failed|was denied)/.test(first ?? '')).toBe(result.isError)
      for (const data of ALL_BYTES)
        expect([text, ...texts, ...labels].join('\n')).not.toContain(data)
    }
  },
)

test('media are inside the result if the provider accepts them there', () => {
  const { result } = EVERY_KIND['image']!
  expect(toModelParts(result, anthropicProfile)).toMatchObject({
    text: 'A pixel:\n\n[block 2, image: image/png, 70 bytes]',
    parts: [
      { type: 'text', text: 'A pixel:\n\n[block 2, image: image/png, 70 bytes]' },
      { type: 'media', media: { mediaType: 'image/png', label: '[block 2:]' } },
    ],
    afterResults: [],
  })
})

test('media are where their line is in the text, in the order of the blocks', () => {
  const say = (text: string) => ({ type: 'text', text }) as const
  const content = [say('before'), IMAGE, say('between'), IMAGE, IMAGE, say('after')]
  const { text, parts } = toModelParts({ content, isError: false }, anthropicProfile)
  const line = (index: number) => `[block ${index}, image: image/png, 70 bytes]`
  expect(parts.map((part) => (part.type === 'text' ? part.text : part.media.label))).toEqual([
    `before\n\n${line(2)}`,
    '[block 2:]',
    `between\n\n${line(4)}`,
    '[block 4:]',
    line(5),
    '[block 5:]',
    'after',
  ])
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  expect(texts.join('\n\n')).toBe(text)
})

test('a picture follows the text that its tool has formatted for it, or its label if that text is not delivered', () => {
  const content = [
    {
      type: 'resource',
      resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: PIXEL },
      formatted: 'A pixel.',
    },
    { type: 'text', text: 'after' },
  ] as const
  const result = { content, isError: false }
  expect(toModelParts(result, anthropicProfile).parts).toMatchObject([
    { text: 'A pixel.' },
    { media: { data: PIXEL } },
    { text: 'after' },
  ])
  const text = toModelText('cut')
  expect(toModelParts(result, anthropicProfile, { text }).parts).toMatchObject([
    { text: 'cut' },
    { text: '[block 1:]' },
    { media: { data: PIXEL } },
  ])
})

test('a result over the maximum length is truncated, and its pictures stay at their places', () => {
  const say = (text: string) => ({ type: 'text', text }) as const
  const content = [say('a'.repeat(5000)), IMAGE, say('after')]
  const result = { content, isError: false }
  const { text, parts } = toModelParts(result, anthropicProfile, {
    text: formatWithin(result, { maxLength: 1000 }),
  })
  expect(text.length).toBeLessThan(1200)
  expect(text).toContain('of 5000 characters were left out')
  expect(parts.map(({ type }) => type)).toEqual(['text', 'media', 'text'])
})

test('a line in the text of a tool that is no paragraph of its own is no place for a picture', () => {
  const line = '[block 2, image: image/png, 70 bytes]'
  const content = [{ type: 'text', text: `as in ${line}` } as const, IMAGE]
  expect(toModelParts({ content, isError: false }, anthropicProfile).parts).toMatchObject([
    { text: `as in ${line}\n\n${line}` },
    { media: { data: PIXEL } },
  ])
})

test('the pictures of the request of Anthropic and of the Responses API are between the texts, and those of Google have the names of their lines', () => {
  const say = (text: string) => ({ type: 'text', text }) as const
  const call = { id: 'c1', name: 'look', arguments: {} }
  const request: ModelRequest = {
    tools: [],
    messages: [
      { role: 'assistant', content: [], calls: [call] },
      {
        role: 'tool',
        results: [
          { call, result: { content: [say('one'), IMAGE, say('two'), IMAGE], isError: false } },
        ],
      },
    ],
  }
  const anthropic = toAnthropicRequest(request).messages[1]?.content[0]
  expect(anthropic?.type === 'tool_result' && anthropic.content).toMatchObject([
    { type: 'text', text: 'one\n\n[block 2, image: image/png, 70 bytes]' },
    { type: 'image' },
    { type: 'text', text: 'two\n\n[block 4, image: image/png, 70 bytes]' },
    { type: 'image' },
  ])
  expect(toOpenAiResponsesRequest(request).input.at(-1)).toMatchObject({
    output: [
      { type: 'input_text', text: 'one\n\n[block 2, image: image/png, 70 bytes]' },
      { type: 'input_image' },
      { type: 'input_text', text: 'two\n\n[block 4, image: image/png, 70 bytes]' },
      { type: 'input_image' },
    ],
  })
  expect(toGoogleRequest(request).contents.at(-1)?.parts[0]?.functionResponse).toMatchObject({
    response: { output: expect.stringContaining('two\n\n[block 4, image: image/png') },
    parts: [{ inlineData: { displayName: 'block 2' } }, { inlineData: { displayName: 'block 4' } }],
  })
})

test('otherwise they follow all results, and both places name each other', () => {
  const { result } = EVERY_KIND['image']!
  const call = { id: 'c1', name: 'look' }
  const { text, parts, afterResults: behind } = toModelParts(result, openAiChatProfile, { call })
  expect(parts).toEqual([{ type: 'text', text }])
  expect(text).toContain('[block 2, image: image/png, 70 bytes]')
  expect(text).toMatch(/^\[The tool's image in block 2 \(image\/png\) follows all results\.\]\n\n/)
  expect(behind.map(({ label }) => label)).toEqual(['[block 2 of the result of look, call "c1":]'])
})

test('otherwise one line says what was omitted and why', () => {
  expect(toModelParts(EVERY_KIND['image']!.result, openAiCompatibleProfile)).toMatchObject({
    text: expect.stringMatching(
      /^\[The tool's image in block 2 \(image\/png\) was omitted: this model does not accept it\.\]/,
    ),
    parts: [{ type: 'text' }],
    afterResults: [],
  })
})

test('if a failed result may contain only text, its media follow it, and it still says that it failed', () => {
  const { result } = EVERY_KIND['error with image']!
  const { text, parts, afterResults: behind, isError } = toModelParts(result, anthropicProfile)
  expect({ media: getMedia({ parts }).length, behind: behind.length, isError }).toEqual({
    media: 0,
    behind: 1,
    isError: true,
  })
  expect(text).toMatch(/follows all results\.\]\n\[The tool call failed\.\]\n\n/)
})

test('an image that is too large, or invalid, is replaced by a line', () => {
  const large = toModelParts(EVERY_KIND['image too large']!.result, anthropicProfile)
  expect(large.text).toContain('its 9000 × 10 pixels are more than the 8000 a side')
  const none = toModelParts(EVERY_KIND['image that is not an image']!.result, anthropicProfile)
  expect(none.text).toContain('it could not be read as an image')
  const heavy = { ...IMAGE, data: getPng(1, 1) + 'A'.repeat(6_000_000) } as typeof IMAGE
  const bytes = toModelParts({ content: [heavy], isError: false }, anthropicProfile)
  expect(bytes.text).toContain('its 4.5 MB are more than the 3.9 MB this model accepts')
  expect(
    [large, none, bytes].flatMap((converted) => [
      ...getMedia(converted),
      ...converted.afterResults,
    ]),
  ).toEqual([])
})

test('the media type of an image comes from its bytes, not from the tool', () => {
  const result = { content: [{ ...IMAGE, mimeType: 'image/gif' } as typeof IMAGE], isError: false }
  expect(getMedia(toModelParts(result, anthropicProfile))[0]?.mediaType).toBe('image/png')
})

test('content for the person only, and content that was only referred to, is not delivered', () => {
  for (const name of ['for the person', 'deduplicated']) {
    const { result, deliveries = [] } = EVERY_KIND[name]!
    const { parts, afterResults: behind } = toModelParts(result, anthropicProfile, { deliveries })
    expect([...getMedia({ parts }), ...behind]).toEqual([])
  }
})

test('text of a tool that resembles a note of the host follows a note of the host', () => {
  const result = {
    content: [{ type: 'text', text: "[The tool's image stands behind.]" } as const, IMAGE],
    isError: false,
  }
  const { text } = toModelParts(result, openAiChatProfile)
  expect(text.split('\n\n')[0]).toBe(
    "[The tool's image in block 2 (image/png) follows all results.]\n[The tool call completed.]",
  )
  expect(toModelParts(result, openAiChatProfile, { text: toModelText('cut') }).text).toMatch(
    /\n\ncut$/,
  )
})
