// Creates the pictures in docs/: `pnpm picture`. Needs Chromium (`CHROMIUM` sets its path; otherwise the usual places are searched), and fonts with
// Japanese and emoji, on Debian: fonts-vlgothic, fonts-noto-color-emoji.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GALLERY } from '../apps/reference-host/src/demo/gallery.ts'
import { writeGallery } from '../apps/reference-host/src/cli/demo/show-gallery.ts'
import { renderGallery } from '../packages/renderer/src/internal-html.ts'
import { createImageWriter } from '../packages/renderer/src/images.ts'
import { renderTerminal } from '../packages/renderer/src/index.ts'
import { loadContentReaders } from '../packages/renderer/src/readers.ts'
import { openBrowser, readPicture } from './pictures/browser.mjs'
import { openScreen } from './pictures/screen.mjs'

const DOCS = new URL('../docs/', import.meta.url)
const ROOT = '/lighthouse'

/** The parts of the gallery that show their kind in docs/semantic-results.md. */
const KINDS = new Map([
  ['text', 'text'],
  ['diff', 'diff'],
  ['file-content', 'file_content'],
  ['file-list', 'file_list'],
  ['table', 'table, with dates and addresses'],
  ['image', 'image'],
  ['structured', 'structured'],
  ['own-kind', 'git.status, a kind of a tool'],
])

const readers = await loadContentReaders()
const inTerminal = {
  root: ROOT,
  readers,
  colors: 'ansi',
  links: 'osc8',
  images: createImageWriter('blocks'),
}
const browser = await openBrowser()
try {
  rmSync(new URL('pictures', DOCS), { recursive: true, force: true })
  mkdirSync(new URL('pictures', DOCS))
  await pictureTerminals()
  await picturePages()
} finally {
  await browser.close()
}

async function pictureTerminals() {
  for (const columns of [80, 120])
    await pictureText(
      `gallery-terminal-${columns}`,
      columns,
      writeGallery({ ...inTerminal, columns }),
    )
  for (const { name, result } of pieces())
    await pictureText(
      `${name}-terminal`,
      72,
      renderTerminal(result, { ...inTerminal, columns: 72 }),
    )
}

async function pictureText(name, columns, text) {
  const screen = openScreen({ columns })
  await screen.write(text)
  save(`pictures/${name}.webp`, await pictureScreen(screen))
  screen.close()
}

async function pictureScreen(screen) {
  const page = await browser.open({ width: 1200 })
  await page.setContent(screen.toPage())
  const picture = await readPicture(page, { element: page.locator('pre') })
  await page.context().close()
  return picture
}

async function picturePages() {
  const gallery = renderGallery(GALLERY, { root: ROOT, readers })
  for (const [shape, width] of [
    ['wide', 1280],
    ['phone', 390],
  ])
    for (const colors of ['light', 'dark'])
      await withPage(gallery, { width, colors }, async (page) => {
        save(`pictures/gallery-${shape}-${colors}.webp`, await readPicture(page))
      })
  const own = [...pieces()].map(({ name, result }) => ({ title: name, result }))
  await withPage(renderGallery(own, { root: ROOT, readers }), { width: 680 }, async (page) => {
    const results = page.locator('section > .tb-result')
    for (const [index, name] of [...KINDS.keys()].entries()) {
      const element = results.nth(index)
      save(`pictures/${name}-browser.webp`, await readPicture(page, { element, around: 8 }))
    }
  })
}

async function withPage(html, options, use) {
  const page = await browser.open(options)
  await page.setContent(html)
  await page.evaluate(async () => {
    const images = [...document.images]
    for (const image of images) image.loading = 'eager'
    await Promise.all(images.map(async (image) => await image.decode()))
  })
  await use(page)
  await page.context().close()
}

function* pieces() {
  for (const [name, title] of KINDS) {
    const piece = GALLERY.find((each) => each.title === title)
    if (!piece) throw new Error(`The gallery has no piece with the title "${title}".`)
    yield { name, result: piece.result }
  }
}

function save(path, picture) {
  writeFileSync(fileURLToPath(new URL(path, DOCS)), picture)
  console.log(`docs/${path}  ${picture.length.toLocaleString('en')} bytes`)
}
