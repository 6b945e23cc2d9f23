import { expect, test } from 'vitest'
import { toolblocks } from '../stage/command.ts'
import { makeFolder, createPrintCommand, toToolOutput, tool } from '../stage/folder.ts'
import { startProvider } from '../stage/provider.ts'

/** An image of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SOUND = Buffer.from('RIFF\u0024\0\0\0WAVE').toString('base64')
const logo = { uri: 'file:///project/logo.png', mimeType: 'image/png', blob: PICTURE }
const BLOCKS = [
  { type: 'resource', resource: logo },
  { type: 'image', data: PICTURE, mimeType: 'image/png' },
  { type: 'audio', data: SOUND, mimeType: 'audio/wav' },
]

/** What each provider receives for an image of a tool. */
const AS_PICTURE = {
  anthropic: `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${PICTURE}"}`,
  openai: `{"type":"input_image","image_url":"data:image/png;base64,${PICTURE}"`,
  google: `{"inlineData":{"mimeType":"image/png","data":"${PICTURE}"`,
} as const

const LEFT_OUT = 'block 3 (audio/wav) was omitted: this model does not accept it'

/** What each provider receives for an audio recording. */
const FOR_SOUND = {
  anthropic: LEFT_OUT,
  openai: LEFT_OUT,
  google: `{"inlineData":{"mimeType":"audio/wav","data":"${SOUND}"}}`,
}

test.for(Object.keys(AS_PICTURE) as (keyof typeof AS_PICTURE)[])(
  '000 resource blob: %s, which accepts images, receives an image for a resource and for an image block, and no base64 text',
  async (provider) => {
    const model = await startProvider([{ calls: [['draw', {}]] }, { text: 'Nice.' }], provider)
    const folder = makeFolder({
      'logo.json': toToolOutput(BLOCKS),
      'toolblocks.toml': model.settings + tool('draw', createPrintCommand('logo.json')),
    })
    await toolblocks(folder, 'run', 'Draw the logo.')
    const sent = JSON.stringify(model.requests.at(-1))
    expect(sent.split(AS_PICTURE[provider])).toHaveLength(3)
    expect(sent.split(PICTURE)).toHaveLength(3)
    expect(sent).toContain('file:///project/logo.png')
    expect(sent).toContain(FOR_SOUND[provider])
  },
)

/** What each provider calls the text of a result. */
const TEXT = {
  anthropic: '{"type":"text","text":"',
  openai: '{"type":"input_text","text":"',
} as const

test.for(Object.keys(TEXT) as (keyof typeof TEXT)[])(
  '000 blocks: %s receives texts and images in the order of the blocks',
  async (provider) => {
    const model = await startProvider([{ calls: [['draw', {}]] }, { text: 'Nice.' }], provider)
    const image = { type: 'image', data: PICTURE, mimeType: 'image/png' }
    const say = (text: string) => ({ type: 'text', text })
    const blocks = [say('before'), image, say('between'), image, say('after')]
    const folder = makeFolder({
      'steps.json': toToolOutput(blocks),
      'toolblocks.toml': model.settings + tool('draw', createPrintCommand('steps.json')),
    })
    await toolblocks(folder, 'run', 'Draw the steps.')
    const sent = JSON.stringify(model.requests.at(-1))
    const [text, picture] = [TEXT[provider], AS_PICTURE[provider]]
    const order = [
      `${text}before`,
      'block 2, image: image/png',
      picture,
      `${text}between`,
      'block 4, image: image/png',
      picture,
      `${text}after`,
    ]
    let offset = 0
    for (const each of order) {
      const position = sent.indexOf(each, offset)
      expect(position, each).not.toBe(-1)
      offset = position + each.length
    }
  },
)

test('000 image and audio blocks: a text-only provider receives a line for each, and a person sees their types', async () => {
  const model = await startProvider([{ calls: [['draw', {}]] }, { text: 'Nice.' }])
  const folder = makeFolder({
    'logo.json': toToolOutput(BLOCKS),
    'toolblocks.toml': model.settings + tool('draw', createPrintCommand('logo.json')),
  })
  const { stdout } = await toolblocks(folder, 'run', 'Draw the logo.')
  const [result = ''] = model.results()
  for (const which of ['resource in block 1', 'image in block 2', 'audio in block 3'])
    expect(result).toMatch(
      new RegExp(`${which} \\(\\w+/\\w+\\) was omitted: this model does not accept`),
    )
  expect(result).toContain('file:///project/logo.png, image/png, 70 bytes')
  expect(result).not.toContain(PICTURE)
  expect(stdout).toContain('image/png · 70 bytes')
  expect(stdout).toContain('audio/wav · 12 bytes')
})
