import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NO_BROWSER, type Page, SKIPS_BROWSER, startBrowser } from '../stage/browser.ts'
import { makeFolder } from '../stage/folder.ts'
import { startView } from '../stage/view.ts'

/** The number of turns: the page has only a part of so many at a time. */
const TURNS = 600
/** The turn in which a heron is seen. */
const HERON = 431

/** Opens a long session of another program in a browser. */
async function openLongSession(size: { width: number; height: number }): Promise<Page> {
  const folder = makeFolder({})
  const lines = Array.from({ length: TURNS }, (_, index) => {
    const turn = index + 1
    const seen = turn === HERON ? 'A grey heron stands there.' : 'Nothing to see.'
    return [
      record(`u${turn}`, turn === 1 ? null : `a${turn - 1}`, `Look at buoy ${turn}.`),
      record(`a${turn}`, `u${turn}`, `Buoy ${turn}: ${seen}`),
    ]
  })
  writeFileSync(join(folder, 'buoys.jsonl'), lines.flat().join(''))
  const { address } = await startView(folder, 'buoys.jsonl')
  const browser = await startBrowser()
  onTestFinished(async () => await browser.close())
  const page = await browser.newPage({ viewport: size, hasTouch: size.width < 500 })
  await page.goto(address.href)
  await page.locator('tb-timeline.tb-ready').waitFor()
  return page
}

function record(uuid: string, parentUuid: string | null, text: string): string {
  const role = uuid.startsWith('u') ? 'user' : 'assistant'
  const message = { role, content: [{ type: 'text', text }] }
  const timestamp = '2026-05-06T07:00:00Z'
  return `${JSON.stringify({ type: role, uuid, parentUuid, sessionId: 'buoys', timestamp, message })}\n`
}

test('promise view: in a browser Ctrl-F searches all of a conversation of which the page has a part, and the hit is marked', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const page = await openLongSession({ width: 1280, height: 800 })
  expect(await page.locator('main').textContent()).not.toContain('heron')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('HERON grey')
  await page.keyboard.press('Enter')
  const hits = page.locator('.tb-list li')
  await hits.first().waitFor()
  expect(await hits.count()).toBe(1)
  expect(await hits.locator('mark').allTextContents()).toEqual(['grey', 'heron'])
  await hits.locator('a').click()
  const event = page.locator('.tb-here', { hasText: `Buoy ${HERON}:` })
  await event.waitFor()
  expect(await event.locator('mark').allTextContents()).toEqual(['grey', 'heron'])
  await expect.poll(async () => await isInWindow(page, '.tb-here mark')).toBe(true)
})

test('promise view: on a phone a bar leads to the first event, to the last and to each turn, from anywhere', async ({
  skip,
}) => {
  skip(SKIPS_BROWSER, NO_BROWSER)
  const page = await openLongSession({ width: 390, height: 740 })
  await page.getByText('Look at buoy 1.', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Last', exact: true }).tap()
  await seesEvent(page, `Buoy ${TURNS}:`)
  await page.locator('summary', { hasText: 'Turns' }).tap()
  await page.getByRole('link', { name: 'Look at buoy 301.', exact: true }).tap()
  await seesEvent(page, 'Look at buoy 301.')
  // The list covers the page only while it is open.
  expect(await page.locator('.tb-places nav').isVisible()).toBe(false)
  await page.getByRole('link', { name: 'First', exact: true }).tap()
  await seesEvent(page, 'Look at buoy 1.')
  for (const name of ['First', 'Last', 'Turns'])
    expect(await isInWindow(page, `.tb-places :text-is("${name}")`)).toBe(true)
})

async function seesEvent(page: Page, text: string): Promise<void> {
  await page.locator('.tb-here', { hasText: text }).waitFor()
  await expect.poll(async () => await isInWindow(page, '.tb-here')).toBe(true)
}

/** Whether an element is in the window, as a person sees it. */
async function isInWindow(page: Page, selector: string): Promise<boolean> {
  return await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, left, width } = element.getBoundingClientRect()
      const topElement = element.ownerDocument.elementFromPoint(
        left + Math.min(width / 2, 20),
        top + 5,
      )
      return topElement !== null && (element.contains(topElement) || topElement.contains(element))
    })
}
