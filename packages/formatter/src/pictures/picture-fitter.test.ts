import { PhotonImage } from '@cf-wasm/photon/node'
import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import fc from 'fast-check'
import { imageSize } from 'image-size'
import { afterAll, describe, expect, test } from 'vitest'
import { toAnthropicRequest } from '../anthropic.ts'
import { toGoogleRequest } from '../google.ts'
import type { ModelMessage, ModelRequest } from '../model/model-request.ts'
import { anthropicProfile, geminiProfile, openAiCompatibleProfile } from '../model/profiles.ts'
import {
  createPictureFitter,
  createPictureScaler,
  getPictureLimits,
  type PictureScaler,
} from '../pictures.ts'
import {
  ANIMATED_GIF,
  ANIMATED_WEBP,
  CMYK_JPEG,
  JPEG,
  makePng,
  PNG_16,
  toPng,
  withOrientation,
} from './pictures.support.ts'

const fitter = createPictureFitter()
afterAll(async () => await fitter.close())

function toResult(data: string, mimeType = 'image/png'): ToolResult {
  return { id: 'c1', content: [{ type: 'image', data, mimeType }], isError: false }
}

/** Fits the only picture of a result, and returns it with the texts after it. */
async function fit(
  data: string,
  limits: { maxSide?: number; maxLength?: number },
  mimeType?: string,
) {
  const { result, changes } = await fitter.fitResult(toResult(data, mimeType), limits)
  const [block, ...rest] = result.content
  return { block, rest, changes, picture: readPicture(block) }
}

function readPicture(block: ContentBlock | undefined) {
  if (block?.type !== 'image') return undefined
  const { width, height, type } = imageSize(Buffer.from(block.data, 'base64'))
  return { width, height, type, mimeType: block.mimeType }
}

/** Returns the colours of the corners, clockwise from the top left. */
function getCorners(block: ContentBlock | undefined): readonly string[] {
  const image = PhotonImage.new_from_byteslice(
    Buffer.from(block?.type === 'image' ? block.data : '', 'base64'),
  )
  const [width, height, pixels] = [image.get_width(), image.get_height(), image.get_raw_pixels()]
  image.free()
  const readColor = (x: number, y: number): string => {
    const [red = 0, green = 0, blue = 0] = pixels.subarray((y * width + x) * 4)
    if (red > 180 && green > 180 && blue > 180) return 'white'
    return red > blue ? 'red' : 'blue'
  }
  return [
    readColor(0, 0),
    readColor(width - 1, 0),
    readColor(width - 1, height - 1),
    readColor(0, height - 1),
  ]
}

describe('a picture for a client', () => {
  test('that fits is unchanged, and so is the result', async () => {
    const result = toResult(makePng(100, 50))
    const fitted = await fitter.fitResult(result, { maxSide: 100 })
    expect(fitted.result).toBe(result)
    expect(fitted.changes).toEqual([])
  })

  test('over the side is scaled, and a text says from which size and where the original is', async () => {
    const { picture, rest, changes } = await fit(makePng(3456, 2234), { maxSide: 2000 })
    expect(picture).toEqual({ width: 2000, height: 1293, type: 'png', mimeType: 'image/png' })
    const note = 'scaled from 3456 × 2234 px to 2000 × 1293 px'
    expect(rest).toEqual([
      {
        type: 'text',
        text: `[The image above was ${note}. You get it only like this. A person sees the original: call "c1", block 1.]`,
      },
    ])
    expect(changes).toEqual([{ block: 0, kind: 'scaled', message: note }])
  })

  test('over the bytes becomes a JPEG, and smaller if that is not enough', async () => {
    const noise = makePng(400, 300, { kind: 'noise' })
    const jpeg = await fit(noise, { maxLength: 160_000 })
    expect(jpeg.picture).toMatchObject({ width: 400, height: 300, mimeType: 'image/jpeg' })
    expect(jpeg.rest).toMatchObject([
      { text: expect.stringMatching(/was compressed from 360\.4 KB to [\d.]+ KB, 400 × 300 px\./) },
    ])
    const small = await fit(noise, { maxLength: 8000 })
    expect(small.picture?.width).toBeLessThan(400)
    expect(small.block).toMatchObject({ data: expect.stringMatching(/^.{1,8000}$/) })
  })

  test('clear pixels of a JPEG become white', async () => {
    const types = ['image/jpeg']
    const { result } = await fitter.fitResult(toResult(makePng(40, 20, { kind: 'clear' })), {
      types,
    })
    expect(readPicture(result.content[0])?.mimeType).toBe('image/jpeg')
    expect(getCorners(result.content[0])).toEqual(['white', 'white', 'white', 'white'])
  })

  test('of an embedded resource is scaled, and its address stays', async () => {
    const resource = { uri: 'file:///a.png', mimeType: 'image/png', blob: makePng(200, 100) }
    const whole = { content: [{ type: 'resource', resource } as const], isError: false }
    const { result } = await fitter.fitResult(whole, { maxSide: 20 })
    const [block] = result.content
    expect(block).toMatchObject({ resource: { uri: 'file:///a.png', mimeType: 'image/png' } })
    expect(block?.type === 'resource' && block.resource.blob).not.toBe(resource.blob)
    expect(result.content[1]).toEqual({
      type: 'text',
      text: '[The image above was scaled from 200 × 100 px to 20 × 10 px. You get it only like this.]',
    })
  })
})

test('notes number the blocks of the original, if texts were added since', async () => {
  const original = toResult(makePng(200, 100))
  const content = [{ type: 'text', text: 'added' } as const, ...original.content]
  const { result } = await fitter.fitResult({ ...original, content }, { maxSide: 20 }, { original })
  expect(result.content[2]).toMatchObject({ text: expect.stringContaining('call "c1", block 1.') })
})

test('any picture fits its limits, keeps its ratio within a pixel, and is never enlarged', async () => {
  const sides = fc.integer({ min: 1, max: 300 })
  await fc.assert(
    fc.asyncProperty(sides, sides, sides, async (width, height, maxSide) => {
      const { picture } = await fit(makePng(width, height), { maxSide })
      const ratio = Math.min(1, maxSide / Math.max(width, height))
      expect(picture?.width).toBeLessThanOrEqual(Math.min(width, maxSide))
      expect(picture?.height).toBeLessThanOrEqual(Math.min(height, maxSide))
      expect(Math.abs(Number(picture?.width) - width * ratio)).toBeLessThanOrEqual(1)
      expect(Math.abs(Number(picture?.height) - height * ratio)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 60 },
  )
})

describe('the kinds of files', () => {
  test.for([
    [1, 20, 10, ['white', 'blue', 'blue', 'red']],
    [2, 20, 10, ['blue', 'white', 'red', 'blue']],
    [3, 20, 10, ['blue', 'red', 'white', 'blue']],
    [4, 20, 10, ['red', 'blue', 'blue', 'white']],
    [5, 10, 20, ['white', 'red', 'blue', 'blue']],
    [6, 10, 20, ['red', 'white', 'blue', 'blue']],
    [7, 10, 20, ['blue', 'blue', 'white', 'red']],
    [8, 10, 20, ['blue', 'blue', 'red', 'white']],
  ] as const)(
    'a JPEG with the EXIF orientation %i is turned',
    async ([orientation, width, height, corners]) => {
      const jpeg = withOrientation(JPEG, orientation)
      const { block, picture } = await fit(jpeg, { maxSide: 20 }, 'image/jpeg')
      expect(picture).toEqual({ width, height, type: 'jpg', mimeType: 'image/jpeg' })
      expect(getCorners(block)).toEqual(corners)
    },
  )

  test.for([
    ['a JPEG in CMYK', CMYK_JPEG],
    ['a PNG with 16 bits a channel', PNG_16],
  ] as const)('%s is scaled with its colours', async ([, data]) => {
    const { block, picture } = await fit(data, { maxSide: 20 })
    expect(picture).toMatchObject({ width: 20, height: 10 })
    expect(getCorners(block)).toEqual(['white', 'blue', 'blue', 'red'])
  })

  test.for([
    ['GIF', ANIMATED_GIF],
    ['WebP', ANIMATED_WEBP],
  ] as const)(
    'of an animated %s the first picture is left, and a text says so',
    async ([, data]) => {
      const { block, rest } = await fit(data, { maxSide: 20 })
      expect(getCorners(block)).toEqual(['red', 'red', 'red', 'red'])
      expect(rest).toMatchObject([
        {
          text: expect.stringContaining(
            'to 20 × 10 px, and is the first picture of its animation.',
          ),
        },
      ])
    },
  )

  test('the type comes from the bytes, not from the tool', async () => {
    const { picture } = await fit(JPEG, { maxSide: 20 }, 'image/png')
    expect(picture).toMatchObject({ type: 'jpg', mimeType: 'image/jpeg' })
  })

  test('a picture of one pixel stays one', async () => {
    const { block } = await fit(makePng(1, 1), { maxSide: 1, maxLength: 10 })
    expect(block).toMatchObject({
      text: expect.stringContaining('no encoding of it is small enough'),
    })
    expect((await fit(makePng(500, 1), { maxSide: 10 })).picture).toMatchObject({
      width: 10,
      height: 1,
    })
  })
})

describe('a hostile picture is replaced by a text, and the next one is scaled', () => {
  const claims = (width: number, height: number): string => {
    const head = Buffer.alloc(13)
    head.writeUInt32BE(width, 0)
    head.writeUInt32BE(height, 4)
    head.set([8, 6, 0, 0, 0], 8)
    return toPng([['IHDR', head]])
  }
  const whole = makePng(300, 300, { kind: 'noise' })
  test.for([
    ['cut in its data', whole.slice(0, 4000), 'it could not be decoded'],
    ['cut in its header', whole.slice(0, 20), 'it could not be read as an image'],
    [
      'no picture at all',
      Buffer.from('<svg/>').toString('base64'),
      'it could not be read as an image',
    ],
    ['empty', '', 'it could not be read as an image'],
    ['without a side', claims(0, 100), 'it could not be read as an image'],
    ['with data of another type', claims(300, 300), 'it could not be decoded'],
    ['larger than memory', claims(60_000, 60_000), 'its 60000 × 60000 px are too many to scale it'],
    ['as large as numbers allow', claims(2 ** 31 - 1, 1), 'px are too many to scale it'],
  ] as const)('%s', async ([, data, reason]) => {
    const { block, changes } = await fit(data, { maxSide: 100 })
    expect(block).toMatchObject({ type: 'text', text: expect.stringContaining(reason) })
    expect(changes).toMatchObject([{ kind: 'left-out' }])
    expect((await fit(makePng(200, 200), { maxSide: 100 })).picture?.width).toBe(100)
  })

  test('one that takes too long ends its worker', async () => {
    const slow = createPictureScaler({ timeoutMs: 1 })
    const target = { mimeType: 'image/png', width: 9, height: 9, orientation: 1, maxBytes: 1e6 }
    const bytes = new Uint8Array(Buffer.from(whole, 'base64'))
    const outcome = await slow.scale(bytes, { ...target, types: ['image/png'] })
    await slow.close()
    expect(outcome.ok).toBe(false)
  })
})

/** Counts what is scaled, without a picture. */
function createCountingScaler(): PictureScaler & { count: () => number } {
  let count = 0
  return {
    scale: async (_bytes, { width, height, types }) => {
      count += 1
      const bytes = new Uint8Array(Buffer.from(makePng(width, height), 'base64'))
      return { ok: true, bytes, mimeType: types[0] ?? '', width, height }
    },
    close: async () => {},
    count: () => count,
  }
}

const ABSENT: PictureScaler = {
  scale: async () => ({
    ok: false,
    reason: 'pictures can be scaled if x is installed',
    install: 'x',
  }),
  close: async () => {},
}

function toRequest(...content: readonly ContentBlock[]): ModelRequest {
  const call = { id: 'c1', name: 'look', arguments: {} }
  const messages: readonly ModelMessage[] = [
    { role: 'user', content },
    { role: 'assistant', content: [], calls: [call] },
    { role: 'tool', results: [{ call, result: { id: 'c1', content, isError: false } }] },
  ]
  return { messages, tools: [] }
}

describe('a request', () => {
  const large: ContentBlock = { type: 'image', data: makePng(4000, 100), mimeType: 'image/png' }

  test('has pictures that fit, and notes that name the original; the line about a block keeps its size', async () => {
    const fitted = await fitter.fitRequest(toRequest(large), anthropicProfile)
    const [user, , results] = toAnthropicRequest(fitted).messages
    expect(user?.content).toMatchObject([
      { type: 'image' },
      { type: 'text', text: '[The image above was scaled from 4000 × 100 px to 2000 × 50 px.]' },
    ])
    const [result] = results?.content ?? []
    expect(result?.type === 'tool_result' && result.content).toMatchObject([
      {
        text: expect.stringMatching(
          /^\[The tool's image in block 1 was scaled from 4000 × 100 px to 2000 × 50 px\. You get it only like this\. A person sees the original: call "c1", block 1\.\]\n\n\[block 1, image: image\/png, [\d.]+ KB\]$/,
        ),
      },
      { type: 'image' },
    ])
  })

  test('has a picture in a type that the model accepts', async () => {
    const gif: ContentBlock = { type: 'image', data: ANIMATED_GIF, mimeType: 'image/gif' }
    const fitted = await fitter.fitRequest(toRequest(gif), geminiProfile)
    expect(toGoogleRequest(fitted).contents[0]?.parts).toMatchObject([
      { inlineData: { mimeType: 'image/png' } },
      {
        text: '[The image above was converted from image/gif to image/png, and is the first picture of its animation.]',
      },
    ])
  })

  test('is scaled once, also if its blocks are read from the store again', async () => {
    const scaler = createCountingScaler()
    const counting = createPictureFitter({ scaler })
    const again = (): ModelRequest => structuredClone(toRequest(large))
    const first = await counting.fitRequest(toRequest(large), anthropicProfile)
    expect(await counting.fitRequest(again(), anthropicProfile)).toEqual(first)
    expect(scaler.count()).toBe(1)
  })

  test('keeps at most the given characters of scaled pictures', async () => {
    const scaler = createCountingScaler()
    const counting = createPictureFitter({ scaler, maxKept: 1 })
    await counting.fitRequest(structuredClone(toRequest(large)), anthropicProfile)
    const before = scaler.count()
    await counting.fitRequest(structuredClone(toRequest(large)), anthropicProfile)
    expect(scaler.count()).toBeGreaterThan(before)
  })

  test('without the peer says what to install where a picture is omitted, and keeps one that is accepted alone', async () => {
    const absent = createPictureFitter({ scaler: ABSENT })
    const huge: ContentBlock = { ...large, data: makePng(9000, 1) }
    const fitted = await absent.fitRequest(toRequest(large, huge), anthropicProfile)
    const [user] = toAnthropicRequest(fitted).messages
    expect(user?.content).toMatchObject([
      { type: 'image' },
      {},
      {
        text: '[The image/png above was omitted: its 9000 × 1 pixels are more than the 8000 a side this model accepts; pictures can be scaled if x is installed.]',
      },
    ])
  })

  test('for a model without limits of a side, and for one that accepts no pictures, stays as it is', async () => {
    const request = toRequest(large)
    expect(await fitter.fitRequest(request, openAiCompatibleProfile)).toEqual(request)
    const none = { ...anthropicProfile, inResults: [], afterResults: [], inMessages: [] }
    expect(getPictureLimits(none)).toBeUndefined()
    expect(await fitter.fitRequest(request, none)).toBe(request)
  })
})
