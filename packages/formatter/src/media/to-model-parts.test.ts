import { expect, test } from 'vitest'
import { ALL_BYTES, EVERY_KIND, IMAGE, getPng } from '../testing/every-kind.suite.ts'
import { toModelText } from '../text/model-text.ts'
import {
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
} from '../model/profiles.ts'
import { toModelParts } from './to-model-parts.ts'

const profiles = [
  anthropicProfile,
  openAiResponsesProfile,
  openAiChatProfile,
  openAiCompatibleProfile,
  geminiProfile,
  gemini2Profile,
]

test.for(profiles)(
  'for $name, no result is empty, a failed one says so first, and no base64 is text',
  (profile) => {
    for (const { result, deliveries = [] } of Object.values(EVERY_KIND)) {
      const { text, media, afterResults: behind } = toModelParts(result, profile, { deliveries })
      const labels = [...media, ...behind].map(({ label }) => label)
      expect(text.trim()).not.toBe('')
      const [first] = text.split('\n\n')
      expect(/The tool call (?:failed|was denied)/.test(first ?? '')).toBe(result.isError)
      for (const data of ALL_BYTES) expect([text, ...labels].join('\n')).not.toContain(data)
    }
  },
)

test('media are inside the result if the provider accepts them there', () => {
  const { result } = EVERY_KIND['image']!
  expect(toModelParts(result, anthropicProfile)).toMatchObject({
    text: 'A pixel:\n\n[image: image/png, 70 bytes]',
    media: [{ mediaType: 'image/png', label: '[Block 2 (image/png):]' }],
    afterResults: [],
  })
})

test('otherwise they follow all results, and both places name each other', () => {
  const { result } = EVERY_KIND['image']!
  const call = { id: 'c1', name: 'look' }
  const { text, media, afterResults: behind } = toModelParts(result, openAiChatProfile, { call })
  expect(media).toEqual([])
  expect(text).toMatch(/^\[The tool's image in block 2 \(image\/png\) follows all results\.\]\n\n/)
  expect(behind.map(({ label }) => label)).toEqual([
    '[Block 2 (image/png) of the result of look, call "c1":]',
  ])
})

test('otherwise one line says what was omitted and why', () => {
  expect(toModelParts(EVERY_KIND['image']!.result, openAiCompatibleProfile)).toMatchObject({
    text: expect.stringMatching(
      /^\[The tool's image in block 2 \(image\/png\) was omitted: this model does not accept it\.\]/,
    ),
    media: [],
    afterResults: [],
  })
})

test('if a failed result may contain only text, its media follow it, and it still says that it failed', () => {
  const { result } = EVERY_KIND['error with image']!
  const { text, media, afterResults: behind, isError } = toModelParts(result, anthropicProfile)
  expect({ media: media.length, behind: behind.length, isError }).toEqual({
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
    [large, none, bytes].flatMap(({ media, afterResults }) => [...media, ...afterResults]),
  ).toEqual([])
})

test('the media type of an image comes from its bytes, not from the tool', () => {
  const result = { content: [{ ...IMAGE, mimeType: 'image/gif' } as typeof IMAGE], isError: false }
  expect(toModelParts(result, anthropicProfile).media[0]?.mediaType).toBe('image/png')
})

test('content for the person only, and content that was only referred to, is not delivered', () => {
  for (const name of ['for the person', 'deduplicated']) {
    const { result, deliveries = [] } = EVERY_KIND[name]!
    const { media, afterResults: behind } = toModelParts(result, anthropicProfile, { deliveries })
    expect([...media, ...behind]).toEqual([])
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
