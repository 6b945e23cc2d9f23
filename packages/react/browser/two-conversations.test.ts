import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  BROWSER,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../viewer/browser/browser.support.ts'
import type { Scene } from './scene.ts'
import { openStage, type Stage } from './stage.support.ts'

/** A conversation of a person. Its model and its server use the same ids as those of every other one. */
function createConversation(name: string, props: object = {}): Scene {
  return {
    component: 'Conversation',
    mark: name,
    props: {
      label: name,
      conversation: name,
      messages: [
        {
          id: '1',
          role: 'assistant',
          parts: [
            {
              type: 'tool-paint',
              toolCallId: 'call-1',
              state: 'approval-requested',
              input: { of: name },
              approval: { id: 'approval-1' },
            },
            {
              type: 'data-question',
              data: {
                id: 'question-1',
                tool: 'paint',
                request: {
                  id: 'color',
                  text: `Which color for ${name}?`,
                  schema: {
                    type: 'object',
                    properties: {
                      hue: { type: 'string' },
                      layers: { type: 'integer' },
                      coats: { enum: ['one', 'two'] },
                    },
                    required: ['hue', 'layers', 'coats'],
                  },
                },
                blocks: [],
                state: 'open',
              },
            },
          ],
        },
      ],
      ...props,
    },
  }
}

const ANN = createConversation('ann')
const BOB = createConversation('bob')

const readSent = async (page: Page): Promise<unknown[][]> => await page.evaluate(() => window.sent)

/** Answers the question of the conversation that is shown as this name. */
async function answer(page: Page, name: string, color: string): Promise<void> {
  const region = page.getByRole('region', { name })
  await region.getByLabel('hue').fill(color)
  await region.getByLabel('layers').fill('3')
  await region.getByLabel('two').check()
  await region.getByRole('button', { name: 'Send answer' }).click()
}

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  let browser: Browser
  let stage: Stage

  beforeAll(async () => {
    browser = await startBrowser()
    stage = await openStage(browser)
  })
  afterEach(() => {
    // oxlint-disable-next-line vitest/no-standalone-expect -- of every test of a page
    expect(stage.takeComplaints()).toEqual([])
  })
  afterAll(async () => {
    await stage.close()
    await browser?.close()
  })

  test('in two roots of React, each id is of one element, and each label and problem is of its own form', async () => {
    const page = await stage.open({ ...ANN, beside: BOB })
    for (const name of ['ann', 'bob']) {
      const region = page.getByRole('region', { name })
      await region.getByLabel('layers').fill('many')
      await region.getByText('two', { exact: true }).click()
      await region.getByRole('button', { name: 'Send answer' }).click()
      await region.getByRole('alert').waitFor()
    }
    const ids = await page.evaluate(() =>
      [...document.querySelectorAll('[id]')].map(({ id }) => id),
    )
    expect(ids.length).toBeGreaterThan(10)
    expect(new Set(ids).size).toBe(ids.length)
    const strangers = await page.evaluate(() =>
      [...document.querySelectorAll('[for], [aria-describedby], [aria-labelledby]')].flatMap(
        (each) =>
          ['for', 'aria-describedby', 'aria-labelledby']
            .flatMap((name) => each.getAttribute(name)?.split(' ') ?? [])
            .filter(
              (id) => each.closest('section')?.contains(document.getElementById(id)) !== true,
            ),
      ),
    )
    expect(strangers).toEqual([])
    for (const name of ['ann', 'bob']) {
      const region = page.getByRole('region', { name })
      expect(await region.getByLabel('two').isChecked()).toBe(true)
      await answer(page, name, `of ${name}`)
      await region.getByText('Sent.').waitFor()
    }
    expect(await readSent(page)).toEqual(
      ['ann', 'bob'].map((name) => [
        'answer',
        'question-1',
        { action: 'accept', value: { hue: `of ${name}`, layers: 3, coats: 'two' } },
        name,
      ]),
    )
  })

  test('another conversation in the same place has nothing that was typed or sent in the one before, until it is shown again', async () => {
    const page = await stage.open(ANN)
    await page.getByLabel('hue').fill('secret of ann')
    await page.getByLabel('Reason for a denial').fill('reason of ann')
    await page.getByRole('button', { name: 'Allow this call' }).click()
    await page.getByText('Sent.').waitFor()
    await page.evaluate((next) => window.show(next), BOB)
    await page.getByText('Which color for bob?').waitFor()
    expect(await page.getByLabel('hue').inputValue()).toBe('')
    expect(await page.getByLabel('Reason for a denial').inputValue()).toBe('')
    expect(await page.getByText('Sent.').count()).toBe(0)
    await page.getByRole('button', { name: 'Deny this call' }).click()
    await answer(page, 'bob', 'red of bob')
    await expect.poll(async () => await readSent(page)).toHaveLength(3)
    await page.evaluate((next) => window.show(next), ANN)
    await page.getByText('Which color for ann?').waitFor()
    await expect.poll(async () => await page.getByLabel('hue').inputValue()).toBe('secret of ann')
    await answer(page, 'ann', 'red of ann')
    await page.getByText('Sent.').waitFor()
    const value = (name: string) => ({ hue: `red of ${name}`, layers: 3, coats: 'two' })
    expect(await readSent(page)).toEqual([
      ['approval', { id: 'approval-1', approved: true }, 'ann'],
      ['approval', { id: 'approval-1', approved: false }, 'bob'],
      ['answer', 'question-1', { action: 'accept', value: value('bob') }, 'bob'],
      ['answer', 'question-1', { action: 'accept', value: value('ann') }, 'ann'],
    ])
  })

  const CALL = { name: 'paint', arguments: {} }
  const QUESTION = { id: 'sure', text: 'Sure?', schema: { type: 'boolean' } }
  const PART = {
    type: 'tool-paint',
    toolCallId: 'call-1',
    state: 'approval-requested',
    input: {},
    approval: { id: 'approval-1' },
  }
  const { messages } = ANN.props

  test.for<[string, Scene['component'], object, string]>([
    ['an answer', 'QuestionForm', { question: QUESTION }, 'Decline to answer'],
    ['a decision', 'ApprovalCard', { call: CALL }, 'Allow this call'],
    ['a decision', 'ToolPart', { part: PART }, 'Deny this call'],
    ['an answer', 'Conversation', { messages }, 'Decline to answer'],
    ['a decision', 'Conversation', { messages }, 'Allow this call'],
  ])(
    '%s of %s is received by the function of the newest rendering, also at once',
    async ([, component, props, button]) => {
      const scene = { component, props: { ...props } }
      const page = await stage.open({ ...scene, mark: 'first' })
      await page.evaluate((next) => window.show(next), { ...scene, mark: 'second' })
      const element = page.getByRole('button', { name: button })
      await element.evaluate((each) => each.setAttribute('data-press', ''))
      await page.evaluate((next) => window.show(next, '[data-press]'), { ...scene, mark: 'third' })
      await page.getByText('Sent.').waitFor()
      expect((await readSent(page)).map((sent) => sent.at(-1))).toEqual(['third'])
    },
  )

  test.for<[string, Scene['component'], object, string]>([
    ['an answer', 'QuestionForm', { question: QUESTION }, 'Decline to answer'],
    ['a decision', 'ApprovalCard', { call: CALL }, 'Allow this call'],
    ['an answer', 'Conversation', { messages }, 'Decline to answer'],
    ['a decision', 'Conversation', { messages }, 'Allow this call'],
  ])(
    '%s of %s that does not count is not shown as sent, and the reason is text',
    async ([, component, props, button]) => {
      const refused = 'Bob <b>answered</b> before\u202E.'
      const page = await stage.open({ component, props: { ...props }, refuse: { refused } })
      const element = page.getByRole('button', { name: button })
      await element.click()
      await page.getByText('This does not count: Bob <b>answered</b> before').waitFor()
      expect(await page.locator('.tb-status').allInnerTexts()).not.toContain('Sent.')
      expect(await page.locator('main').innerText()).not.toContain('\u202E')
      expect(await element.isDisabled()).toBe(true)
      expect(await readSent(page)).toHaveLength(1)
    },
  )
})
