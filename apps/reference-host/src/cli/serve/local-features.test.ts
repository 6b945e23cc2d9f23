import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { fillIn, MAX_RESOURCE_BYTES, MAX_RESOURCES, openLocalFeatures } from './local-features.ts'

function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolblocks-features-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

function openResources(root: string, warnings: string[] = []) {
  const opened = openLocalFeatures(
    { root, prompts: {}, resources: { folder: 'docs' } },
    (message) => void warnings.push(message),
  )
  if (!opened?.resources) throw new Error('no resources')
  return opened.resources
}

const getUri = (...parts: readonly string[]): string => pathToFileURL(join(...parts)).href

test('a configuration without prompts and resources offers nothing', () => {
  expect(openLocalFeatures({ root: '/', prompts: {} }, () => {})).toBeUndefined()
})

test('placeholders of arguments are replaced once, and other texts in braces stay', () => {
  expect(
    fillIn('{{a}} {{ b }} {{c}} {a} {{a}}{{toString}}', ['a', 'b'], { a: '{{b}}$&', b: 'B' }),
  ).toBe('{{b}}$& B {{c}} {a} {{b}}$&{{toString}}')
  expect(fillIn('[{{a}}]', ['a'], {})).toBe('[]')
})

test('the files of the folder are listed by path, with their type and size, and read as text or bytes', async () => {
  const root = makeFolder({
    'docs/b.md': '# B',
    'docs/deep/a.json': '{}',
    'docs/c.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]),
  })
  const { list, read } = openResources(root)
  expect(await list()).toEqual([
    { uri: getUri(root, 'docs/b.md'), name: 'b.md', mimeType: 'text/markdown', size: 3 },
    { uri: getUri(root, 'docs/c.png'), name: 'c.png', mimeType: 'image/png', size: 9 },
    {
      uri: getUri(root, 'docs/deep/a.json'),
      name: 'deep/a.json',
      mimeType: 'application/json',
      size: 2,
    },
  ])
  const uri = getUri(root, 'docs/b.md')
  expect(await read(uri)).toEqual({ uri, mimeType: 'text/markdown', text: '# B' })
  expect(await read(getUri(root, 'docs/c.png'))).toMatchObject({ blob: 'iVBORw0KGgr/' })
  writeFileSync(join(root, 'docs/new.txt'), 'new')
  expect((await list()).map(({ name }) => name)).toContain('new.txt')
})

test('hidden files, links, folders of packages and large files are neither listed nor read', async () => {
  const root = makeFolder({
    'secret.txt': 'secret',
    'docs/.env': 'secret',
    'docs/.git/config': 'secret',
    'docs/node_modules/a/index.js': 'secret',
    'docs/large.txt': '',
    'docs/good.txt': 'good',
  })
  truncateSync(join(root, 'docs/large.txt'), MAX_RESOURCE_BYTES + 1)
  symlinkSync(join(root, 'secret.txt'), join(root, 'docs/link.txt'))
  symlinkSync(root, join(root, 'docs/up'))
  const { list, read } = openResources(root)
  expect((await list()).map(({ name }) => name)).toEqual(['good.txt'])
  const refused = [
    'docs/.env',
    'docs/.git/config',
    'docs/node_modules/a/index.js',
    'docs/large.txt',
    'docs/link.txt',
    'docs/up/secret.txt',
    'secret.txt',
    'docs',
    'docs/missing.txt',
  ].map((name) => getUri(root, name))
  const strange = [
    'https://example.com/a',
    'file://host/a',
    'file:///%00',
    'nonsense',
    `${getUri(root, 'docs')}/%2e%2e/secret.txt`,
  ]
  for (const uri of [...refused, ...strange])
    expect([uri, await read(uri)]).toEqual([uri, undefined])
})

test('a folder with too many files gives one warning, and a folder that is missing offers none', async () => {
  const files = Array.from({ length: MAX_RESOURCES + 1 }, (_, index) => [`docs/${index}.txt`, ''])
  const root = makeFolder(Object.fromEntries(files))
  const warnings: string[] = []
  const { list } = openResources(root, warnings)
  expect(await list()).toHaveLength(MAX_RESOURCES)
  await list()
  expect(warnings).toEqual([expect.stringContaining('the others are not listed')])
  expect(await openResources(makeFolder({})).list()).toEqual([])
})

test('the text of a prompt is read at each use, and a file that became a link is not read', async () => {
  const root = makeFolder({ 'a.md': 'one {{x}}', 'other.md': 'other' })
  const features = openLocalFeatures(
    { root, prompts: { a: { file: 'a.md', title: 'A', arguments: { x: { required: true } } } } },
    () => {},
  )
  const [prompt] = features?.prompts ?? []
  expect(prompt).toMatchObject({
    name: 'a',
    title: 'A',
    arguments: [{ name: 'x', required: true }],
  })
  expect(await prompt?.getText({ x: '1' })).toBe('one 1')
  writeFileSync(join(root, 'a.md'), 'two {{x}}')
  expect(await prompt?.getText({ x: '1' })).toBe('two 1')
  rmSync(join(root, 'a.md'))
  symlinkSync(join(root, 'other.md'), join(root, 'a.md'))
  await expect(prompt?.getText({ x: '1' })).rejects.toThrow('The file a.md cannot be read.')
})
