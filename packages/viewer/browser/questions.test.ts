import { openStore, type ConversationStore } from '@toolblocks/conversation-store'
import { answerPendingQuestion, readPendingQuestion } from '@toolblocks/inquiry/pending'
import type { JsonSchema, JsonValue } from '@toolblocks/protocol'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { park } from '../src/pending.support.ts'
import { type ServedViewer, serveViewer } from '../src/serve-viewer.ts'
import { BOAT_FORM, sendBoatForm } from './boat-form.support.ts'
import {
  BROWSER,
  findBarriers,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from './browser.support.ts'

const PHONE = { width: 360, height: 740 }

let store: ConversationStore
let view: ServedViewer
let browser: Browser
let context: BrowserContext
let page: Page
const complaints: string[] = []

async function visit(address: string, where = page): Promise<void> {
  await where.goto(view.getUrl(address))
  await where.waitForSelector('h1:not(tb-sign-in h1)')
}

async function getValue(id: string): Promise<JsonValue | undefined> {
  const question = await readPendingQuestion(id, { storage: store.documents })
  return question?.state === 'answered' ? question.settled?.value : undefined
}

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  beforeAll(async () => {
    browser = await startBrowser()
  })

  beforeEach(async () => {
    store = await openStore('memory:')
    view = await serveViewer({
      store,
      name: 'memory',
      options: {},
      answers: { describeNext: async () => 'Continue with: toolblocks run --resume it' },
    })
    context = await browser.newContext({ viewport: PHONE })
    page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => void complaints.push(`dialog ${dialog.message()}`))
  })

  afterEach(async () => {
    await context.close()
    await view.close()
    await store.close()
    // oxlint-disable-next-line vitest/no-standalone-expect -- of every test of a page
    expect(complaints.splice(0)).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('a form is filled in with the keyboard alone, on a phone, and the page says what happens next', async () => {
    const { id } = await park(store, { request: { text: 'Which boat?', schema: BOAT_FORM } })
    await visit(`question?id=${id}`)
    expect(await findBarriers(page)).toEqual([])
    const value = await sendBoatForm(page)
    await page.getByText('Continue with: toolblocks run --resume it').waitFor()
    expect(await getValue(id)).toEqual(value)
    expect(await page.locator('form[action=answer]').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
  })

  test('on a phone, no button covers a part of what a person decides about', async () => {
    const text = 'name,size,owner,group,mode,when,what,where,why,who,whose\n'
    const resource = { uri: 'file:///w/a.csv', mimeType: 'text/csv', text }
    const { id } = await park(store, { kind: 'approval', blocks: [{ type: 'resource', resource }] })
    await visit(`question?id=${id}`)
    const copy = await page.getByRole('button', { name: 'Copy' }).boundingBox()
    const material = await page.locator('pre', { hasText: 'name,size' }).boundingBox()
    const [first, second] = [copy, material].toSorted((a, b) => (a?.y ?? 0) - (b?.y ?? 0))
    expect((first?.y ?? 0) + (first?.height ?? 0)).toBeLessThanOrEqual(second?.y ?? 0)
  })

  test('an invalid answer is shown with its problems at their fields, with the focus on the first and everything that was typed', async () => {
    const { id } = await park(store, { request: { text: 'Which boat?', schema: BOAT_FORM } })
    await visit(`question?id=${id}`)
    await page.getByLabel('Name of the boat').fill('Ada "<b>')
    await page.getByLabel('berth').fill('many')
    await page.getByLabel('crane').check()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.locator('#f1-problem').textContent()).toBe(
      'expected a whole number, for example 3',
    )
    await page.locator('#f1:focus').waitFor()
    expect(await page.locator('#f1').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Name of the boat').inputValue()).toBe('Ada "<b>')
    expect(await page.getByLabel('crane').isChecked()).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    expect(await getValue(id)).toBeUndefined()
    await page.getByLabel('berth').fill('3')
    await page.getByLabel('Small').check()
    await page.getByLabel('No', { exact: true }).check()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Answered on a page').waitFor()
    expect(await getValue(id)).toMatchObject({ berth: 3, extras: ['crane'], paid: false })
  })

  test.for<[string, JsonSchema, (here: Page) => Promise<void>, JsonValue]>([
    ['yes or no', { type: 'boolean' }, async (here) => await here.getByLabel('No').check(), false],
    [
      'one of many values',
      { enum: Array.from({ length: 30 }, (_, index) => `berth ${index}`) },
      async (here) => void (await here.getByLabel('Really?').selectOption('berth 21')),
      'berth 21',
    ],
    [
      'several values',
      { type: 'array', items: { enum: [1, 2, 3] } },
      async (here) => {
        await here.getByLabel('1').check()
        await here.getByLabel('3').check()
      },
      [1, 3],
    ],
    [
      'a text',
      { type: 'string' },
      async (here) => await here.getByLabel('Really?').fill(' "x" '),
      ' "x" ',
    ],
    [
      'a number',
      { type: 'number' },
      async (here) => await here.getByLabel('Really?').fill('2.5'),
      2.5,
    ],
    [
      'a list',
      { type: 'array', items: { type: 'string' } },
      async (here) => await here.getByLabel('Really?').fill('a\nb'),
      ['a', 'b'],
    ],
    [
      'anything else, as JSON',
      { type: 'array', items: { type: 'object' } },
      async (here) => await here.getByLabel('Really?').fill('[{"a": 1}]'),
      [{ a: 1 }],
    ],
  ])('%s is answered without scripts', async ([, schema, fill, value]) => {
    const { id } = await park(store, { request: { schema } })
    await visit('')
    const cookies = await context.cookies()
    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE })
    await plain.addCookies(cookies)
    const here = await plain.newPage()
    await here.goto(view.getUrl(`question?id=${id}`))
    await fill(here)
    await here.getByRole('button', { name: 'Send answer' }).click()
    await here.getByText('Answered on a page').waitFor()
    expect(await getValue(id)).toEqual(value)
    await plain.close()
  })

  test('a default is filled in, and one that a person could not see as it is sent is shown instead', async () => {
    const seen = await park(store, {
      tool: 'seen',
      request: { schema: { type: 'string' }, default: 'main' },
    })
    await visit(`question?id=${seen.id}`)
    expect(await page.getByLabel('Really?').inputValue()).toBe('main')
    const odd = { schema: { type: 'string' }, default: 'ma\u202Ein' }
    const hidden = await park(store, { tool: 'hidden', request: odd })
    await visit(`question?id=${hidden.id}`)
    expect(await page.getByLabel('Really?').inputValue()).toBe('')
    expect(await page.locator('#f0-details').textContent()).toContain('ma\\u{202E}in')
  })

  test('a pasted text of several lines arrives unchanged; Shift+Enter begins a line, and Ctrl+Enter sends', async () => {
    const { id } = await park(store, { request: { schema: { type: 'string' } } })
    await visit(`question?id=${id}`)
    await page.getByLabel('Really?').focus()
    await page.keyboard.type('zero')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.insertText('first\n\n  second')
    await page.keyboard.press('Enter')
    await page.keyboard.type('third')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await page.getByText('Answered on a page').waitFor()
    expect(await getValue(id)).toBe('zero\nfirst\n\n  second\nthird')
  })

  test('Enter sends a text of one line', async () => {
    const { id } = await park(store, { request: { schema: { type: 'string' } } })
    await visit(`question?id=${id}`)
    await page.getByLabel('Really?').fill('main')
    await page.keyboard.press('Enter')
    await page.getByText('Answered on a page').waitFor()
    expect(await getValue(id)).toBe('main')
  })

  test('a pasted reason for a denial keeps its lines', async () => {
    const { id } = await park(store, { kind: 'approval', values: { path: 'a.txt' } })
    await visit(`question?id=${id}`)
    await page.getByLabel('Reason for a denial').focus()
    await page.keyboard.insertText('Not today.\nUse the copy.')
    await page.getByRole('button', { name: 'Deny this call' }).click()
    await page.getByText('Denied on a page').waitFor()
    const settled = await readPendingQuestion(id, { storage: store.documents })
    expect(settled).toMatchObject({ settled: { reason: 'Not today.\nUse the copy.' } })
  })

  test('Enter in the reason for a denial denies the call', async () => {
    const { id } = await park(store, { kind: 'approval', values: { path: 'a.txt' } })
    await visit(`question?id=${id}`)
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Reason for a denial').fill('not today')
    await page.keyboard.press('Enter')
    await page.getByText('Denied on a page: not today.').waitFor()
    const settled = await readPendingQuestion(id, { storage: store.documents })
    expect(settled).toMatchObject({
      state: 'declined',
      settled: { by: 'page', reason: 'not today' },
    })
  })

  test('a question that is answered elsewhere says so on the open page, keeps what was typed, and takes no second answer', async () => {
    const question = await park(store, { request: { schema: { type: 'string' } } })
    await visit(`question?id=${question.id}`)
    await page.getByLabel('Really?').fill('half an ans')
    const settlement = { answer: { action: 'accept', value: 'theirs' }, by: 'terminal' } as const
    await answerPendingQuestion(question, settlement, { storage: store.documents })
    await page.getByText('Answered at a terminal with "toolblocks questions": "theirs".').waitFor()
    expect(await page.getByLabel('Really?').inputValue()).toBe('half an ans')
    expect(await page.getByRole('button', { name: 'Send answer' }).isDisabled()).toBe(true)
    expect(await page.locator('#tb-open').textContent()).toBe('')
  })

  test('lists and the conversation learn of new and of settled questions while they are open', async () => {
    const first = await park(store)
    const lists = await Promise.all(
      ['', 'questions', 'conversation?id=of-sweep'].map(async (address) => {
        const opened = await context.newPage()
        await visit(address, opened)
        return opened
      }),
    )
    const [home, questions, conversation] = lists
    await conversation?.getByText('Waits for an answer', { exact: true }).waitFor()
    await park(store, { tool: 'mow', kind: 'approval' })
    await home?.getByRole('link', { name: 'mow needs approval' }).waitFor()
    await questions?.getByRole('link', { name: 'mow needs approval' }).waitFor()
    expect(await questions?.locator('.tb-list a').allTextContents()).toEqual([
      'sweep asks: Really?',
      'mow needs approval',
    ])
    await answerPendingQuestion(
      first,
      { answer: { action: 'accept', value: true }, by: 'page' },
      { storage: store.documents },
    )
    await conversation?.getByText('Answered on a page: true.').waitFor()
    await expect
      .poll(async () => await questions?.locator('.tb-list a').allTextContents())
      .toEqual(['mow needs approval'])
  })

  test.for(['light', 'dark'] as const)(
    'long and hostile texts have no effect, and widen no page of a phone, in %s',
    async (colorScheme) => {
      const hostile = `<img src=x onerror=alert(1)>"'\u202E\u200B${'x'.repeat(3000)}`
      const { id } = await park(store, {
        tool: hostile,
        values: { [hostile]: hostile },
        agents: [hostile],
        server: hostile,
        blocks: [{ type: 'text', text: `${hostile}\n${'line\n'.repeat(500)}the end` }],
        request: {
          text: hostile,
          schema: {
            type: 'object',
            properties: {
              [hostile]: { type: 'string', title: hostile, description: hostile, default: hostile },
              choice: { oneOf: [{ const: hostile, title: hostile }, { const: 'b' }] },
            },
          },
        },
      })
      await page.emulateMedia({ colorScheme })
      for (const address of [`question?id=${id}`, 'questions?all', '']) {
        await visit(address)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
        expect(await page.locator('main img').count()).toBe(0)
        expect(await findBarriers(page)).toEqual([])
      }
      await visit(`question?id=${id}`)
      const text = await page.locator('main').innerText()
      expect(text).toContain('the end')
      expect(text).toContain('\\u{202E}')
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.tb-decision *')]
          .filter((each) => each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 0)
          .filter((each) => getComputedStyle(each).overflowY !== 'visible')
          .map((each) => each.className),
      )
      expect(cut).toEqual([])
      expect(await page.locator('.tb-decision details:not([open])').count()).toBe(0)
    },
  )
})
