// Creates the pictures of the pages of `toolblocks view`: `pnpm picture`. Needs Chromium, like picture-terminal.mjs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { planImport } from '../apps/reference-host/src/cli/import/plan-import.ts'
import { runImport } from '../apps/reference-host/src/cli/import/run-import.ts'
import { openStore } from '../packages/conversation-store/src/open-store.ts'
import { serveViewer } from '../packages/viewer/src/serve-viewer.ts'
import { createLampSession } from '../journeys/stage/agent-session.ts'
import { loadContentReaders } from '../packages/renderer/src/readers.ts'
import { openBrowser, readPicture } from './pictures/browser.mjs'

const PICTURES = new URL('../docs/pictures/', import.meta.url)
const ROOT = '/home/ada/lighthouse'

/** Further conversations in the list beside the open session. */
const OTHERS = [
  [
    '01990000-4a2b-7000-8000-0123456789ab',
    'call',
    undefined,
    'count_lamps',
    '2026-05-06T16:20:11Z',
  ],
  [
    '7c1e0b52-93aa-4c55-8a40-0123456789ab',
    'chat',
    'gemini-3-pro',
    'Which of the tests of the harbour are slow, and why?',
    '2026-05-07T09:12:40Z',
  ],
  [
    'd02f7f3a-1c64-4b1e-b0c7-0123456789ab',
    'run',
    'gpt-6',
    'Write the notes of the release from the last forty commits.',
    '2026-05-08T17:48:02Z',
  ],
]

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-pictures-'))
writeFileSync(join(folder, 'session.jsonl'), createLampSession())
const { signal } = new AbortController()
const { files } = await planImport([join(folder, 'session.jsonl')], { signal })
const store = await openStore('memory:')
for await (const _ of runImport(store, files, signal));
const [session] = (await store.list()).conversations
for (const [id, command, model, text, time] of OTHERS)
  await keep(id, { command, model, text, at: time })
const readers = await loadContentReaders()
const options = { root: ROOT, readers, tallText: 'fold' }
const view = await serveViewer({ store, name: 'sqlite:kept.db', growth: 'files', options })
const browser = await openBrowser()
try {
  mkdirSync(PICTURES, { recursive: true })
  const address = `conversation?id=${encodeURIComponent(session.id)}`
  await picture('view-list', '', { width: 1000 })
  await picture('view-wide', address, { width: 1280, open: ['Edit', 'TodoWrite'] })
  await picture('view-dark', address, { width: 1280, colors: 'dark', open: ['Edit'] })
  await picture('view-phone', address, { width: 390, scale: 2 })
} finally {
  await browser.close()
  await view.close()
  await store.close()
  rmSync(folder, { recursive: true })
}

async function keep(id, { command, model, text, at }) {
  const values = { command, folder: ROOT, ...(model && { model }) }
  const firstEvent =
    command === 'call'
      ? { type: 'tool_call', call: { id: 'call-1', name: text, arguments: {} } }
      : { type: 'user_message', content: [{ type: 'text', text }] }
  const events = [{ type: 'configuration', values }, firstEvent]
  await store.append(
    id,
    0,
    events.map((event) => ({ event, at })),
  )
}

/** Takes a picture of a page, with the cards of some tools open. */
async function picture(name, address, { open = [], ...how }) {
  const page = await browser.open(how)
  await page.goto(view.getUrl(address))
  await page.locator('main h1').waitFor()
  for (const tool of open)
    await page.locator('.tb-call summary').filter({ hasText: tool }).first().click()
  await page.mouse.move(0, 0)
  await page.evaluate(() => document.activeElement?.blur?.())
  // The bars at the edges of the window are at the edges of the picture.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: how.width, height })
  // The opened cards are painted first.
  await page.waitForTimeout(500)
  const bytes = await readPicture(page)
  writeFileSync(fileURLToPath(new URL(`${name}.webp`, PICTURES)), bytes)
  console.log(`docs/pictures/${name}.webp  ${bytes.length.toLocaleString('en')} bytes`)
  await page.context().close()
}
