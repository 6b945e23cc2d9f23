import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLampSession } from '../stage/agent-session.ts'
import {
  type Browser,
  type Locator,
  NO_BROWSER,
  SKIPS_BROWSER,
  type Page,
  startBrowser,
} from '../stage/browser.ts'
import { openView, type View } from '../stage/view.ts'

// One reader opens and reads the session file of another program.
let folder = ''
let view: View
let browser: Browser
let page: Page

beforeAll(async () => {
  if (SKIPS_BROWSER) return
  folder = mkdtempSync(join(tmpdir(), 'toolblocks-reading-'))
  writeFileSync(join(folder, 'session.jsonl'), createLampSession())
  view = await openView(folder, 'session.jsonl')
  browser = await startBrowser()
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
})

beforeEach(async ({ skip }) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  await page.goto('about:blank')
  await page.goto(view.address.href)
  await page.locator('.tb-person').first().waitFor()
})

afterAll(async () => {
  await browser?.close()
  await view?.end()
  if (folder !== '') rmSync(folder, { recursive: true, force: true })
})

/** Finds the card of a call by the name of its tool and a text that identifies it. */
const getCard = (tool: string, telling = ''): Locator =>
  page
    .locator('.tb-call')
    .filter({ hasText: `${tool}${telling === '' ? '' : ` ${telling}`}` })
    .first()

async function open(card: Locator): Promise<Locator> {
  await card.locator('summary').first().click()
  return card.locator('.tb-body').first()
}

test('promise reading: the heading and the window title of a conversation are the first question of the person', async () => {
  const title = 'The lamp turns too slowly. Find out why, mend it, and run…'
  expect(await page.locator('h1').textContent()).toBe(title)
  expect(await page.title()).toBe(title)
  expect(await page.locator('.tb-intro').textContent()).toContain('5e551011')
  expect(await page.locator('.tb-intro').textContent()).not.toContain('5e551011-')
})

test('promise reading: a tool is one line until it is opened', async () => {
  const card = getCard('Read')
  const box = await card.boundingBox()
  expect(box?.height).toBeLessThan(40)
  expect(await card.getByText('const lamp1 = light(1)').isVisible()).toBe(false)
  expect(await card.locator('summary').first().textContent()).toMatch(
    /✓ Read .*src\/lamp\.ts 120 lines/,
  )
  await open(card)
  expect(await card.getByText('const lamp1 = light(1)').isVisible()).toBe(true)
})

test('promise reading: a call and its result are one card', async () => {
  const body = await open(getCard('Grep'))
  expect(await body.textContent()).toMatch(/pattern: setInterval.*src\/lamp\.ts:43/s)
  expect(await page.locator('.tb-call').count()).toBe(8)
})

test('promise reading: an edit is shown as a diff', async () => {
  const card = getCard('Edit')
  expect(await card.locator('summary').first().textContent()).toContain('+2 −1 lines')
  const body = await open(card)
  expect(await body.locator('.tb-removed').allTextContents()).toEqual([
    expect.stringContaining('const period = 500'),
  ])
  expect(await body.locator('.tb-added').allTextContents()).toEqual([
    expect.stringContaining('const period = lamp.period ?? 250'),
    expect.stringContaining('assertPositive(period)'),
  ])
})

test('promise reading: a list of tasks shows which tasks are done', async () => {
  const card = getCard('TodoWrite')
  expect(await card.locator('summary').first().textContent()).toContain('1 of 3 done')
  const body = await open(card)
  expect(await body.locator('.tb-todos li').allTextContents()).toEqual([
    '☑ Find the period',
    '◐ Let a lamp have its own',
    '☐ Run the tests',
  ])
})

test('promise reading: the line of a failed call shows the failure with the text of the tool', async () => {
  const line = page.locator('.tb-call summary').filter({ has: page.getByLabel('failed') })
  expect(await line.count()).toBe(1)
  expect(await line.textContent()).toMatch(/✗ Bash npm test .*Error: Exit code 1 · 1\d s/)
})

test('promise reading: a thought is folded, and opens completely', async () => {
  const thought = page.locator('.tb-thought')
  const last = thought.getByText('I should look before I change anything.', { exact: false }).last()
  expect(await thought.getByRole('paragraph').isVisible()).toBe(false)
  await thought.locator('summary').click()
  expect(await last.isVisible()).toBe(true)
})

test('promise reading: long content is cut, and a click shows the rest', async () => {
  const card = getCard('Read')
  const body = await open(card)
  const text = body.locator('.tb-tall > .tb-scroll')
  const before = (await text.boundingBox())?.height ?? 0
  await body.getByText('All 120 lines').click()
  const after = (await text.boundingBox())?.height ?? 0
  expect(before).toBeLessThan(500)
  expect(after).toBeGreaterThan(1500)
})

test('promise reading: turns are listed by their first words, with links to them', async () => {
  const turns = page.getByRole('navigation', { name: 'Turns' }).getByRole('link')
  expect(await turns.allTextContents()).toEqual([
    expect.stringMatching(/^The lamp turns too slowly\./),
    'Thanks. Which lamps have a period of their own?',
  ])
  await turns.last().click()
  await page.locator('.tb-person.tb-here').filter({ hasText: 'Thanks.' }).waitFor()
})

test('promise reading: no page for a file shows a live status, a model view, or a note about newer versions', async () => {
  const text = await page.locator('body').textContent()
  expect(text).not.toMatch(/\blive\b|would receive|newer version|delivery/)
  await page.goto(`${view.address.href.split('#')[0]}&model-view`)
  await page.locator('.tb-person').first().waitFor()
  expect(await page.locator('body').textContent()).not.toMatch(/would receive|delivery/)
})

test('promise reading: commands and records of the program are small lines with their names, and several in a row are one line', async () => {
  const many = page.locator('.tb-many')
  expect(await many.locator('> summary').textContent()).toBe(
    'file-history-snapshot, note of the program, /model opus, local command stdout',
  )
  expect(await many.locator('.tb-quiet').first().isVisible()).toBe(false)
  const quiet = await page.locator('.tb-quiet > details > summary').allTextContents()
  expect(quiet).toEqual([
    'file-history-snapshot',
    'note of the program',
    '/model opus',
    'local command stdout',
    'progress ×2',
  ])
})

test('promise reading: messages of a model are rendered as Markdown, messages of a person are shown as typed', async () => {
  const message = page.locator('.tb-said').filter({ hasText: '250 ms' })
  expect(await message.locator('strong').textContent()).toBe('250 ms')
  expect(await message.locator('li').count()).toBe(2)
  expect(await page.locator('.tb-person pre').first().textContent()).toContain(
    'run the tests.\n\nThe period should be',
  )
})

test('promise reading: keys move from card to card and open cards', async () => {
  await page.keyboard.press('g')
  await page.locator('#e1.tb-here').waitFor()
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('j')
  const here = page.locator('.tb-event:focus')
  expect(await here.locator('summary').first().textContent()).toContain('Grep')
  await page.keyboard.press('o')
  expect(await here.locator('.tb-body').isVisible()).toBe(true)
  await page.keyboard.press('o')
  expect(await here.locator('.tb-body').isVisible()).toBe(false)
})

test('promise reading: on a phone nothing is wider than the page, folded or open, and the turns are folded', async () => {
  const phone = await browser.newPage({ viewport: { width: 390, height: 800 } })
  try {
    await phone.goto(view.address.href)
    await phone.locator('.tb-person').first().waitFor()
    expect(await phone.getByRole('navigation', { name: 'Turns' }).isVisible()).toBe(false)
    const getWidth = async (): Promise<number> =>
      await phone.evaluate('document.documentElement.scrollWidth')
    await expect.poll(getWidth).toBe(390)
    await phone.evaluate(
      'for (const fold of document.querySelectorAll("details")) fold.open = true',
    )
    await expect.poll(getWidth).toBe(390)
  } finally {
    await phone.close()
  }
})

test('promise reading: without scripts the complete content is there, and cards open', async () => {
  const context = await browser.newContext({ storageState: await page.context().storageState() })
  const still = await context.newPage()
  await still.route('**/*.js', async (route) => await route.abort())
  try {
    await still.goto(view.address.href.split('#')[0] ?? '')
    const card = still.locator('.tb-call').filter({ hasText: 'Edit' }).first()
    await card.locator('summary').first().click()
    expect(await card.locator('.tb-added').first().isVisible()).toBe(true)
    expect(await still.getByText('All 31 tests pass.').isVisible()).toBe(true)
  } finally {
    await context.close()
  }
})
