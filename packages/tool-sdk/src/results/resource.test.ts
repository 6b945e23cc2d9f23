import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { image, resource } from './resource.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

function folderWith(name: string, content: string | Uint8Array): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tool-sdk-')))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, name), content)
  return root
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

describe('a file', () => {
  test('is text with its canonical URI and its type', async () => {
    const root = folderWith('é a.rs', 'fn main() {}\n')
    const expected = {
      uri: `file://${root}/%C3%A9%20a.rs`,
      mimeType: 'text/rust',
      text: 'fn main() {}\n',
    }
    expect(await resource('é a.rs', { root })).toEqual({ type: 'resource', resource: expected })
    const url = pathToFileURL(join(root, 'é a.rs'))
    expect((await resource(url)).resource).toEqual(expected)
  })

  test.for<[string, string | Uint8Array, object]>([
    ['a.png', PNG, { blob: PNG.toString('base64'), mimeType: 'image/png' }],
    ['a', PNG, { blob: PNG.toString('base64'), mimeType: 'image/png' }],
    ['a.pdf', '%PDF-1.4 all ASCII', { mimeType: 'application/pdf', blob: expect.any(String) }],
    ['a.txt', 'ID3 is also a word', { mimeType: 'text/plain', text: 'ID3 is also a word' }],
    ['a', 'no name for it', { text: 'no name for it' }],
    ['a', Uint8Array.of(1, 0, 2), { mimeType: 'application/octet-stream', blob: 'AQAC' }],
    ['a.txt', Uint8Array.of(0xff), { mimeType: 'text/plain', blob: '/w==' }],
    ['a.txt', '\uFEFFmarked', { mimeType: 'text/plain', text: '\uFEFFmarked' }],
  ])('named %s has the type of its bytes', async ([name, content, expected]) => {
    const root = folderWith(name, content)
    const { resource: read } = await resource(name, { root })
    expect(read).toEqual({ uri: `file://${root}/${name}`, ...expected })
  })

  test('is found by its `file:` URL as a string, too, also as an image', async () => {
    const root = folderWith('é a.png', PNG)
    const url = pathToFileURL(join(root, 'é a.png')).href
    expect((await resource(url)).resource).toMatchObject({ uri: url, blob: PNG.toString('base64') })
    expect(await image(url)).toMatchObject({ type: 'image', mimeType: 'image/png' })
  })

  test.for(['https://example.com/a', new URL('data:,a')])(
    'is not found by any other address, and the error says what to pass: %s',
    async (source) => {
      await expect(resource(source)).rejects.toThrow(
        `expected a path or a file: URL, got ${String(source)}; pass await fetch(…) for other URLs`,
      )
    },
  )

  test('may have a name that resembles an address without slashes', async () => {
    const root = folderWith('note:1', 'x')
    expect((await resource('note:1', { root })).resource).toMatchObject({ text: 'x' })
  })

  test('may have a type, a title, text for the model and annotations', async () => {
    const root = folderWith('a.txt', 'x')
    const annotations = { priority: 1 }
    const more = { title: 'A', formatted: '1 x', annotations, mimeType: 'text/x-log' }
    expect(await resource('a.txt', { root, ...more })).toEqual({
      type: 'resource',
      resource: { uri: `file://${root}/a.txt`, mimeType: 'text/x-log', text: 'x', title: 'A' },
      formatted: '1 x',
      annotations,
    })
  })

  test('that is missing or too large is an error', async () => {
    const root = folderWith('big', new Uint8Array(16 * 1024 * 1024 + 1))
    await expect(resource('lost', { root })).rejects.toThrow('lost')
    await expect(resource('big', { root })).rejects.toThrow(
      /big has more than 16\.8 MB, which is all that a result may hold; give a part of it/,
    )
  })
})

describe('a response', () => {
  test('has its URL and its declared type', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/old') return void response.writeHead(302, { Location: '/new?q=%C3%A9' }).end()
      response.setHeader('Content-Type', 'application/json; charset=utf-8')
      response.end('{}')
    })
    expect((await resource(await fetch(`${url}/old`))).resource).toEqual({
      uri: `${url}/new?q=%C3%A9`,
      mimeType: 'application/json',
      text: '{}',
    })
  })

  test('without a type, or with bytes, has the type of its bytes', async () => {
    const url = await serve(
      ({ url: path }, response) => void response.end(path === '/png' ? PNG : ''),
    )
    expect((await resource(await fetch(`${url}/png`))).resource).toMatchObject({
      mimeType: 'image/png',
    })
    expect((await resource(await fetch(url))).resource).toEqual({ uri: `${url}/`, text: '' })
  })

  test('with an error status, or without end, is an error', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path !== '/endless') return void response.writeHead(404).end()
      const more = (): void => {
        while (!response.destroyed && response.write(new Uint8Array(1024 * 1024)));
      }
      response.on('drain', more)
      more()
    })
    await expect(fetch(url).then((response) => resource(response))).rejects.toThrow(
      `${url}/ answered 404 Not Found`,
    )
    const endless = await fetch(`${url}/endless`)
    await expect(resource(endless)).rejects.toThrow('/endless has more than 16.8 MB')
  })
})

test('a complete resource becomes a block', async () => {
  const own = { uri: 'git:HEAD', text: 'x' }
  expect(await resource(own)).toEqual({ type: 'resource', resource: own })
  expect((await resource(own, { mimeType: 'text/plain' })).resource).toEqual({
    ...own,
    mimeType: 'text/plain',
  })
})

test('an image is recognized by its bytes, from a file or from memory', async () => {
  const root = folderWith('shot', PNG)
  const block = { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' }
  expect(await image('shot', { root })).toEqual(block)
  expect(await image(PNG)).toEqual(block)
  expect(await image(Buffer.from('<svg/>'), { mimeType: 'image/svg+xml' })).toMatchObject({
    mimeType: 'image/svg+xml',
  })
  await expect(image(Buffer.from('words'))).rejects.toThrow(
    'the 5 bytes given: expected a picture, got bytes of an unknown type; if it is a picture, give its mimeType, which begins with "image/"',
  )
})

test('a complete resource is used unchanged, with another type if one is given', async () => {
  const original = { uri: 'x:a', mimeType: 'text/plain', text: 'a' }
  expect((await resource(original)).resource).toEqual(original)
  expect((await resource(original, { mimeType: 'text/rust' })).resource).toEqual({
    ...original,
    mimeType: 'text/rust',
  })
})

test('a given type of a file overrides that of its name', async () => {
  const root = folderWith('a.txt', '{}')
  expect((await resource('a.txt', { root, mimeType: 'application/json' })).resource).toMatchObject({
    mimeType: 'application/json',
    text: '{}',
  })
})

test('a given type overrides those of the sender, the name and the bytes, and decides whether the content is text', async () => {
  const content = 'ID3 is also a word'
  const url = await serve((_request, response) => {
    response.setHeader('Content-Type', 'audio/mpeg')
    response.end(content)
  })
  const more = { mimeType: 'text/plain', title: 'T', formatted: 'f', annotations: { priority: 1 } }
  const { title, formatted, annotations, mimeType } = more
  const block = (uri: string) => ({
    type: 'resource',
    resource: { uri, mimeType, text: content, title },
    formatted,
    annotations,
  })
  expect(await resource(await fetch(url), more)).toEqual(block(`${url}/`))
  const root = folderWith('a.mp3', content)
  expect(await resource('a.mp3', { root, ...more })).toEqual(block(`file://${root}/a.mp3`))
  // Without it the bytes are nearer than the name.
  const other = folderWith('a.pdf', PNG)
  expect((await resource('a.pdf', { root: other })).resource.mimeType).toBe('image/png')
  expect(await image(PNG, { mimeType: 'image/x-own', annotations })).toEqual({
    type: 'image',
    data: PNG.toString('base64'),
    mimeType: 'image/x-own',
    annotations,
  })
})

test('a response is known although a library has replaced the global class', async () => {
  const response = new Response('{}', { headers: { 'content-type': 'application/json' } })
  vi.stubGlobal('Response', Map)
  onTestFinished(() => void vi.unstubAllGlobals())
  expect((await resource(response)).resource).toMatchObject({ text: '{}' })
})
