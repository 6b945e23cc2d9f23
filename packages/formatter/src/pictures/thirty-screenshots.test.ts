import { imageSize } from 'image-size'
import { afterAll, expect, test } from 'vitest'
import { toAnthropicRequest } from '../anthropic.ts'
import { toGoogleRequest } from '../google.ts'
import type { ModelProfile } from '../index.ts'
import type { ModelMessage, ModelRequest } from '../model/model-request.ts'
import {
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  openAiChatProfile,
  openAiResponsesProfile,
} from '../model/profiles.ts'
import { toOpenAiChatRequest, toOpenAiResponsesRequest } from '../openai.ts'
import { createPictureFitter } from '../pictures.ts'
import { makePng } from './pictures.support.ts'

const SCREENSHOTS = 30

/** Each is a PNG of 5.2 MB: more than Anthropic takes, and 208 MB of base64 together. */
const screenshots = Array.from({ length: SCREENSHOTS }, (_, index) =>
  makePng(3456, 500, { kind: 'noise', seed: index + 1 }),
)

const fitter = createPictureFitter()
afterAll(async () => await fitter.close())

/** A conversation in which the model has looked at the first screenshots. */
function toRequest(count: number): ModelRequest {
  const messages = screenshots.slice(0, count).flatMap((data, index): readonly ModelMessage[] => {
    const call = { id: `c${index}`, name: 'look', arguments: {} }
    const content = [{ type: 'image', data, mimeType: 'image/png' } as const]
    return [
      { role: 'assistant', content: [], calls: [call] },
      { role: 'tool', results: [{ call, result: { id: call.id, content, isError: false } }] },
    ]
  })
  return { tools: [], messages: [{ role: 'user', content: [] }, ...messages] }
}

/** Returns the base64 of all pictures of a request, in order, whatever the format of its provider is. */
function findPictures(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const [, data = value] = /^data:[^;]+;base64,(.*)$/s.exec(value) ?? []
    return data.length > 1000 && !data.includes(' ') ? [data] : []
  }
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(findPictures)
    : []
}

const MB = 1_000_000
const MEBI = 2 ** 20

// The limits are written here again, from the documents that `profiles.ts` names.
const WIRES: readonly {
  name: string
  profile: ModelProfile
  toWire: (request: ModelRequest) => unknown
  maxSide: number
  maxPicture: number
  maxRequest: number
}[] = [
  {
    name: 'Anthropic',
    profile: anthropicProfile,
    toWire: (request) => toAnthropicRequest(request).messages,
    maxSide: 2000,
    maxPicture: 5 * MEBI,
    maxRequest: 32 * MB,
  },
  {
    name: 'OpenAI Responses',
    profile: openAiResponsesProfile,
    toWire: (request) => toOpenAiResponsesRequest(request).input,
    maxSide: Infinity,
    maxPicture: 10 * MEBI,
    maxRequest: (50 * MB * 4) / 3,
  },
  {
    name: 'OpenAI Chat Completions',
    profile: openAiChatProfile,
    toWire: (request) => toOpenAiChatRequest(request).messages,
    maxSide: Infinity,
    maxPicture: 10 * MEBI,
    maxRequest: (50 * MB * 4) / 3,
  },
  {
    name: 'Gemini',
    profile: geminiProfile,
    toWire: (request) => toGoogleRequest(request).contents,
    maxSide: Infinity,
    maxPicture: 20 * MB,
    maxRequest: 20 * MB,
  },
  {
    name: 'Gemini 2',
    profile: gemini2Profile,
    toWire: (request) => toGoogleRequest(request, { profile: gemini2Profile }).contents,
    maxSide: Infinity,
    maxPicture: 20 * MB,
    maxRequest: 20 * MB,
  },
]

test.for(WIRES)(
  'thirty screenshots of 3,456 pixels in one conversation are within the limits of $name, and each is the same in every request',
  { timeout: 240_000 },
  async ({ profile, toWire, maxSide, maxPicture, maxRequest }) => {
    let before: readonly string[] = []
    for (const count of [1, 21, SCREENSHOTS]) {
      const wire = toWire(await fitter.fitRequest(toRequest(count), profile))
      const pictures = findPictures(wire)
      expect(pictures).toHaveLength(count)
      expect(pictures.slice(0, before.length)).toEqual(before)
      expect(JSON.stringify(wire).length).toBeLessThan(maxRequest)
      for (const picture of pictures) {
        expect(picture.length).toBeLessThanOrEqual(maxPicture)
        const { width, height } = imageSize(Buffer.from(picture, 'base64'))
        expect(Math.max(width, height)).toBeLessThanOrEqual(maxSide)
      }
      before = pictures
    }
  },
)
