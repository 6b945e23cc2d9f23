import { renderGallery } from '@toolblocks/renderer/internal/html'
import { renderHtml } from '@toolblocks/renderer/html'
import { createImageWriter } from '@toolblocks/renderer/images'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GALLERY } from '../../demo/gallery.ts'
import { toolblocks } from '../toolblocks.support.ts'
import { writeGallery } from './show-gallery.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolblocks-gallery-'))
})

afterEach(async () => await rm(folder, { recursive: true }))

test('toolblocks gallery shows every example, and --output html writes a page but never replaces a file', async () => {
  const ran = await toolblocks(folder, 'gallery')
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  for (const { title } of GALLERY) expect(ran.stdout).toContain(`── ${title}\n`)

  const file = join(folder, 'gallery.html')
  const written = await toolblocks(folder, 'gallery', '--output', 'html', '--to', 'gallery.html')
  expect(written).toEqual({ code: 0, stdout: `Wrote ${file}.\n`, stderr: '' })
  const page = await readFile(file, 'utf8')
  expect(page).toMatch(/^<!doctype html>/)
  for (const { title } of GALLERY) expect(page).toContain(`<h2>${title}</h2>`)

  const again = await toolblocks(folder, 'gallery', '--output', 'html', '--to', 'gallery.html')
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('--force')
  expect(await readFile(file, 'utf8')).toBe(page)
})

const readers = await loadContentReaders()

test.for([40, 80, 120])('the gallery is shown in %i columns', async (columns) => {
  const gallery = writeGallery({ columns, readers })
  await expect(`${gallery}\n`).toMatchFileSnapshot(`golden/gallery-${columns}.txt`)
})

test('the gallery is shown in colours, with links and pictures', async () => {
  const images = createImageWriter('blocks')
  const gallery = writeGallery({ columns: 80, readers, colors: 'ansi', links: 'osc8', images })
  const visible = gallery.replaceAll('\u001B', '␛')
  await expect(`${visible}\n`).toMatchFileSnapshot('golden/gallery-80-colors.txt')
})

/** Puts each element on a line of its own, so that a diff shows which one changed. */
const inLines = (html: string): string => html.replaceAll('><', '>\n<')

test('the gallery is shown on a page', async () => {
  const page = renderGallery(GALLERY, { root: '/lighthouse', readers })
  const [main = ''] = /<main>.*<\/main>/s.exec(page) ?? []
  await expect(`${inLines(main)}\n`).toMatchFileSnapshot('golden/gallery-page.txt')
})

test('diffs are shown side by side on a page, and media by name only', async () => {
  const html = GALLERY.filter(({ title }) => /diff|image/.test(title)).map(({ result }) =>
    renderHtml(result, { root: '/lighthouse', diffs: 'split', media: 'name' }),
  )
  await expect(`${inLines(html.join(''))}\n`).toMatchFileSnapshot('golden/gallery-page-split.txt')
})
