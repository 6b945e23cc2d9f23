import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import {
  type ConversationEvent,
  openStore,
  type ConversationStore,
} from '@toolblocks/conversation-store'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER, NO_BROWSER, SKIPS_BROWSER, startBrowser } from './browser.support.ts'
import { LONG_TURN } from './every-kind.support.ts'
import { HOSTILE } from './hostile.support.ts'
import { type ServedViewer, serveViewer } from '../src/serve-viewer.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const MANY = 100_000

let store: ConversationStore
let view: ServedViewer
let browser: Browser
let context: BrowserContext
let page: Page
const complaints: string[] = []

/** Records errors of a page, and its requests to other servers. */
function watch(watched: Page): void {
  const own = view.getUrl('').replace(/#.*$/, '')
  watched.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  watched.on('pageerror', (error) => complaints.push(error.message))
  watched.on('dialog', (dialog) => void complaints.push(`dialog ${dialog.message()}`))
  watched.on('request', (request) => {
    const isOwn = request.url().startsWith(own) || request.url().startsWith('data:')
    if (!isOwn) complaints.push(request.url())
  })
}

/** Opens a page of the viewer, with the token. */
async function visit(address: string, where = page): Promise<void> {
  await where.goto(view.getUrl(address))
  await where.waitForSelector('h1:not(tb-sign-in h1)')
}

/** Opens every card and every fold. */
async function openAll(): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('.tb-event details'))
      if (!fold.closest('tb-tree')) fold.open = true
  })
}

const createMessage = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  beforeAll(async () => {
    store = await openStore('memory:')
    await store.append('every kind', 0, LONG_TURN)
    await store.append('hostile', 0, HOSTILE)
    await store.append('live', 0, [createMessage('first')])
    await store.append(
      'many',
      0,
      Array.from({ length: MANY }, (_, index) => createMessage(`said ${index + 1}`)),
    )
    const readers = await loadContentReaders()
    view = await serveViewer({ store, name: 'memory', options: { readers } })
    browser = await startBrowser()
    context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    page = await context.newPage()
    watch(page)
  })

  afterEach(() => {
    // oxlint-disable-next-line vitest/no-standalone-expect -- of every test of a page
    expect(complaints.splice(0)).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    await view.close()
    await store.close()
  })

  test('the cookie of the pages is sent to no other port of the machine', async () => {
    const cookies: unknown[] = []
    const other = createServer((request, response) => {
      cookies.push(request.headers.cookie)
      response.end('<h1>other</h1>')
    })
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    try {
      await visit('')
      expect(await context.cookies()).toHaveLength(1)
      const address = other.address()
      const port = typeof address === 'object' ? address?.port : 0
      const stranger = await context.newPage()
      await stranger.goto(`http://127.0.0.1:${port}/`)
      await stranger.goto(`http://127.0.0.1:${port}/conversation`)
      await stranger.close()
      expect(cookies.length).toBeGreaterThan(1)
      expect(cookies.filter((sent) => sent !== undefined)).toEqual([])
    } finally {
      other.close()
    }
  })

  test('the token gives access, and is removed from the address', async () => {
    await visit('')
    await expect.poll(() => new URL(page.url()).hash).toBe('')
    // Also if the cookie already gives access.
    await page.goto('about:blank')
    await visit('')
    await expect.poll(() => new URL(page.url()).hash).toBe('')
    expect(await page.locator('.tb-list a').count()).toBe(4)
  })

  test('a table is sorted by a column, numerically if possible, and filtered by words', async () => {
    await visit('conversation?id=every+kind')
    await openAll()
    const table = page.locator('tb-table').first()
    const cells = async (): Promise<string> =>
      (await table.locator('tbody tr:visible td:nth-child(2)').allTextContents()).join(' ')
    await table.getByRole('button', { name: 'count' }).click()
    expect(await cells()).toBe('0 2 3 6 7 9 10')
    await table.getByRole('button', { name: 'count' }).click()
    expect(await cells()).toBe('10 9 7 6 3 2 0')
    expect(await table.locator('th[aria-sort=descending]').count()).toBe(1)
    await table.getByLabel('Filter rows').fill('ar')
    expect(await cells()).toBe('10 3')
    expect(await table.locator('output').textContent()).toBe('2 of 7 rows')
  })

  test('files are sorted by their sizes in any unit', async () => {
    const files = page.locator('tb-table', { hasText: 'main.rs' }).first()
    await files.getByRole('button', { name: 'size' }).click()
    const sizes = await files.locator('tbody tr td:nth-child(2)').allTextContents()
    expect(sizes.filter(Boolean)).toEqual(['54 bytes', '900 bytes', '2.0 KB'])
  })

  test('a tree can be folded and opened, also by keys', async () => {
    const tree = page.locator('tb-tree').first()
    const open = async (): Promise<number> => await tree.locator('details[open]').count()
    await tree.getByRole('button', { name: 'Expand all' }).click()
    expect(await open()).toBe(5)
    await tree.getByRole('button', { name: 'Collapse all' }).click()
    expect(await open()).toBe(0)
    await tree.locator('summary').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    expect(await open()).toBe(1)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('staged: 2 items')
  })

  test('a diff is shown side by side, and unified again', async () => {
    const diff = page.locator('tb-diff').first()
    const button = diff.getByRole('button', { name: 'Side by side' })
    await button.click()
    expect(await diff.locator('.tb-split tr').nth(2).locator('td').allTextContents()).toEqual([
      '2',
      '    let lamps = 7;',
      '2',
      '    let lamps = 12;',
    ])
    await button.click()
    expect(await diff.locator('.tb-split').count()).toBe(0)
  })

  test('code is copied unchanged', async () => {
    const code = page.locator('#e18 tb-code').first()
    await code.getByRole('button', { name: 'Copy' }).click()
    await code.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(async () => await navigator.clipboard.readText())
    expect(copied).toBe("export const lamps = ['hall', 'pier'] // all there are")
  })

  test('images and sounds are shown', async () => {
    const width = await page
      .locator('img')
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth)
    expect(width).toBe(8)
    expect(await page.locator('audio').count()).toBe(1)
    expect(await page.locator('a[download]').first().getAttribute('href')).toMatch(
      /^data:application\/octet-stream/,
    )
  })

  test('keys move from event to event, and to the search', async () => {
    await visit('conversation?id=every+kind')
    await page.keyboard.press('g')
    await page.waitForFunction(() => document.activeElement?.id === 'e1')
    await page.keyboard.press('j')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('e2')
    await page.keyboard.press('G')
    await page.waitForFunction(() => document.activeElement?.id === 'e36')
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('q')
  })

  test.for(['light', 'dark'] as const)(
    'the accessibility check finds nothing serious in %s colours',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      for (const address of ['', 'search?q=lamps', 'conversation?id=every+kind&model-view']) {
        await visit(address)
        await openAll()
        // The policy of the page blocks scripts, so the browser itself provides this one.
        const violations: unknown = await page.evaluate(
          `${AXE}; axe.run().then(({violations}) => violations.filter(({impact}) => impact === 'serious' || impact === 'critical').map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html)]))`,
        )
        expect(violations).toEqual([])
      }
    },
  )

  test('on a phone nothing is wider than the page', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await visit('conversation?id=every+kind&model-view')
    await openAll()
    const [inner, outer] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      innerWidth,
    ])
    expect(inner).toBeLessThanOrEqual(outer ?? 0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('hostile content has no effect and stays in its block, also without a policy', async () => {
    const unheld = await browser.newContext({ bypassCSP: true })
    const open = await unheld.newPage()
    watch(open)
    const events = new Set<string>()
    for (const seq of [1, 101]) {
      await visit(`conversation?id=hostile&at=${seq}`, open)
      await open.locator(`#e${seq}`).waitFor()
      for (const id of await open
        .locator('.tb-event, .tb-place')
        .evaluateAll((all) => all.map((each) => each.id)))
        events.add(id)
      expect(await open.evaluate(findForeign)).toEqual([])
      expect(await open.evaluate(() => 'owned' in globalThis)).toBe(false)
    }
    expect(events.size).toBe(HOSTILE.length)
    await unheld.close()
  })

  test('a long conversation has only the visible part in the page, and any event can be reached directly', async () => {
    await visit(`conversation?id=many`)
    expect(await page.locator('.tb-event').count()).toBeLessThan(500)
    await page.keyboard.press('G')
    await page.waitForFunction((last) => document.activeElement?.id === `e${last}`, MANY)
    await page.evaluate(() => (location.hash = '#e50123'))
    await page.waitForFunction(() => document.activeElement?.id === 'e50123')
    expect(await page.locator('#e50123').textContent()).toContain('said 50123')
    await expect.poll(async () => await page.locator('.tb-event').count()).toBeLessThan(800)
  })

  test('an event at the start of a loaded part stays at the top while the part above it is loaded', async () => {
    await visit('')
    await visit('conversation?id=many&at=301')
    await page.waitForFunction(() => document.activeElement?.id === 'e301')
    await page.locator('#e299').waitFor()
    const top = await page.locator('#e301').evaluate((e) => e.getBoundingClientRect().top)
    expect(top).toBeGreaterThan(0)
    expect(top).toBeLessThan(200)
  })

  test('on a phone the first event, the last and the turns are reachable from anywhere', async () => {
    await page.setViewportSize({ width: 390, height: 740 })
    await visit('conversation?id=many&at=50123')
    await page.waitForFunction(() => document.activeElement?.id === 'e50123')
    const places = page.locator('.tb-places')
    await places.locator('summary').click()
    await expect(places.locator('[aria-current]').textContent()).resolves.toContain('said 50')
    const isVisible = await places.locator('[aria-current]').evaluate((link) => {
      const { top, bottom } = link.getBoundingClientRect()
      return top > 0 && bottom < innerHeight
    })
    expect(isVisible).toBe(true)
    await places.getByRole('link', { name: 'Last' }).click()
    await page.waitForFunction((last) => document.activeElement?.id === `e${last}`, MANY)
    expect(await places.locator('details[open]').count()).toBe(0)
    await places.getByRole('link', { name: 'First' }).click()
    await page.waitForFunction(() => document.activeElement?.id === 'e1')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('Ctrl-F on a page that has only a part of a conversation searches all of it, and the hit is marked', async () => {
    await visit('conversation?id=many&at=300')
    await page.locator('#e300').waitFor()
    await page.keyboard.press('Control+f')
    const field = page.getByRole('searchbox', { name: 'Search this conversation' })
    await expect
      .poll(async () => await field.evaluate((e) => e === document.activeElement))
      .toBe(true)
    expect(await pressesFind(page)).toBe('for the browser')
    await field.fill('SAID 77123')
    await field.press('Enter')
    await page.waitForURL(/search\?q=SAID\+77123&in=many$/)
    expect(await page.locator('.tb-list mark').allTextContents()).toEqual(['said', '77123'])
    await page.locator('.tb-list a').click()
    await page.waitForFunction(() => document.activeElement?.id === 'e77123')
    expect(await page.locator('#e77123 mark').allTextContents()).toEqual(['said', '77123'])
    expect(await page.locator('#e77123').textContent()).toContain('said 77123')
    await visit('conversation?id=every+kind')
    await page.locator('tb-timeline.tb-ready').waitFor()
    expect(await pressesFind(page)).toBe('for the browser')
  })

  test('a conversation that continues grows on the open page', async () => {
    await visit('conversation?id=live')
    await page.locator('#tb-live').getByText('new events appear here', { exact: true }).waitFor()
    await store.append('live', 1, [createMessage('second'), createMessage('third')])
    await page.locator('.tb-event', { hasText: 'third' }).waitFor()
    expect(await page.locator('.tb-event').count()).toBe(3)
  })

  test('events that a rewind undoes are marked in every shown part of the open page', async () => {
    await store.append(
      'undone',
      0,
      Array.from({ length: 105 }, (_, index) => createMessage(`said ${index + 1}`)),
    )
    await visit('conversation?id=undone')
    await page.locator('#tb-live').getByText('new events appear here', { exact: true }).waitFor()
    await page.keyboard.press('G')
    await page.locator('#e105').waitFor()
    await page.locator('#e99').waitFor()
    expect(await page.locator('.tb-undone').count()).toBe(0)
    await store.append('undone', 105, [{ type: 'rewind', to: 95 }])
    await page.locator('#e99.tb-undone').waitFor({ state: 'attached' })
    await page.locator('#e105.tb-undone').waitFor({ state: 'attached' })
    expect(await page.locator('#e95.tb-undone').count()).toBe(0)
  })
})

/** Presses Ctrl-F, and returns who answers it. */
async function pressesFind(where: Page): Promise<string> {
  await where.evaluate(() =>
    addEventListener(
      'keydown',
      (event) =>
        (document.body.dataset['find'] = event.defaultPrevented
          ? 'for the page'
          : 'for the browser'),
      { once: true },
    ),
  )
  await where.keyboard.press('Control+f')
  return await where.evaluate(() => document.body.dataset['find'] ?? '')
}

/** In a page: elements, attributes and addresses in the timeline that no renderer of this project writes. */
function findForeign(): readonly string[] {
  const NAMES =
    /^(script|style|iframe|object|embed|svg|math|form|base|meta|link|template|textarea|title)$/i
  const ADDRESSES = /^(https?:|mailto:|conversation\?|data:application\/octet-stream)/
  const all = [...document.querySelectorAll('.tb-event, .tb-event *')]
  const attributes = all.flatMap((element) => [...element.attributes])
  return [
    ...all.map(({ tagName }) => tagName).filter((name) => NAMES.test(name)),
    ...attributes
      .map(({ name }) => name)
      .filter((name) => name.startsWith('on') || name === 'style'),
    ...attributes
      .filter(({ name, value }) => name === 'href' && !ADDRESSES.test(value))
      .map(({ value }) => value),
  ]
}
