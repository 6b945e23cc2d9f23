import { expect, test } from 'vitest'
import type { ShownPart } from '../../show/shown-part.ts'
import { writePart } from './write-part.ts'

const PNG = 'iVBORw0KGgo='
const WAV = Buffer.from('RIFF0000WAVE').toString('base64')
const uri = 'https://a.example/'

const written = (
  part: Partial<Extract<ShownPart, { kind: 'media' }>>,
  media: 'inline' | 'name' = 'inline',
): string =>
  writePart(
    { kind: 'media', media: 'image', name: 'x/a.bin', facts: ['b'], ...part },
    { diffs: 'unified', media, tallText: 'scroll' },
  )
const line = '<p class="tb-named"><strong>x/a.bin</strong> <span class="tb-facts">b</span></p>'
const place = `<p><a href="${uri}" rel="noopener noreferrer nofollow" target="_blank">${uri}</a></p>`
const keep = (base64: string): string =>
  `<p><a download="a.bin" href="data:application/octet-stream;base64,${base64}">Download x/a.bin</a></p>`

test('a picture is shown over its facts', () => {
  expect(written({ base64: PNG, uri })).toBe(
    `<figure><img src="data:image/png;base64,${PNG}" alt="x/a.bin" loading="lazy"><figcaption>${line}</figcaption></figure>`,
  )
})

test('a sound is played, can be kept, and says where it is', () => {
  expect(written({ media: 'audio', base64: WAV, uri })).toBe(
    `${line}<audio controls preload="none" src="data:audio/wav;base64,${WAV}" aria-label="x/a.bin"></audio>${keep(WAV)}${place}`,
  )
})

test.for<['image' | 'audio' | 'file', string]>([
  ['file', PNG],
  ['image', WAV],
  ['audio', PNG],
])('bytes said to be %s that are none are a file to keep', ([media, base64]) => {
  expect(written({ media, base64 })).toBe(`${line}${keep(base64)}`)
})

test('what is no base64 is named only', () => {
  expect(written({ base64: '"' })).toBe(line)
})

test('what stands elsewhere is a link, and bytes are named only where the host asks for that', () => {
  expect(written({ uri })).toBe(`${line}${place}`)
  expect(written({ base64: PNG, uri }, 'name')).toBe(`${line}${place}`)
  expect(written({ base64: PNG }, 'name')).toBe(line)
})
