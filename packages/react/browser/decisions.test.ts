import type { Browser, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BOAT_FORM, sendBoatForm } from '../../viewer/browser/boat-form.support.ts'
import {
  BROWSER,
  findBarriers,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../viewer/browser/browser.support.ts'
import { openStage, type Stage } from './stage.support.ts'

const PHONE = { width: 360, height: 740 }

const QUESTION = { id: 'boat', text: 'Which boat?', schema: BOAT_FORM }
const CALL = {
  name: 'shell.run',
  arguments: { command: `rm -rf ${'x'.repeat(3000)}`, force: true },
}

describe.skipIf(SKIPS_BROWSER)(`in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`, () => {
  let browser: Browser
  let stage: Stage

  beforeAll(async () => {
    browser = await startBrowser()
    stage = await openStage(browser, { viewport: PHONE })
  })
  afterEach(() => {
    // oxlint-disable-next-line vitest/no-standalone-expect -- of every test of a page
    expect(stage.takeComplaints()).toEqual([])
  })
  afterAll(async () => {
    await stage.close()
    await browser?.close()
  })

  test('a form is filled in and sent with the keyboard alone', async () => {
    const page = await stage.open({ component: 'QuestionForm', props: { question: QUESTION } })
    expect(await findBarriers(page)).toEqual([])
    const value = await sendBoatForm(page)
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([
      ['answer', { action: 'accept', value }],
    ])
    expect(await page.getByRole('button').first().isDisabled()).toBe(true)
  })

  test('an invalid answer is not sent: its problems are at their fields, and the first one has the focus', async () => {
    const page = await stage.open({ component: 'QuestionForm', props: { question: QUESTION } })
    await page.getByLabel('Name of the boat').fill('Ada')
    await page.getByLabel('berth').fill('many')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([])
    const berth = page.getByLabel('berth')
    expect(await berth.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await berth.getAttribute('aria-describedby')).toMatch(/-details \S+-problem$/)
    const described = await berth.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    )
    expect(described.join(' ')).toContain('expected a whole number')
    expect(await findBarriers(page)).toEqual([])
  })

  test('a pasted text of several lines arrives unchanged, Enter in it begins a new line, and Ctrl+Enter sends it', async () => {
    const page = await stage.open({
      component: 'QuestionForm',
      props: { question: { id: 'n', text: 'What happened?', schema: { type: 'string' } } },
    })
    const field = page.getByRole('textbox', { name: 'What happened?' })
    await field.focus()
    await page.keyboard.insertText('first\n\n  second')
    await page.keyboard.press('Enter')
    await page.keyboard.type('third')
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([
      ['answer', { action: 'accept', value: 'first\n\n  second\nthird' }],
    ])
  })

  test('a pasted reason of several lines keeps its lines', async () => {
    const page = await stage.open({ component: 'ApprovalCard', props: { call: CALL } })
    await page.getByLabel('Reason for a denial').focus()
    await page.keyboard.insertText('Not that.\nUse the copy.')
    await page.getByRole('button', { name: 'Deny this call' }).click()
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([
      ['decide', { decision: 'denied', reason: 'Not that.\nUse the copy.' }],
    ])
  })

  test('problems that the server finds are shown at their fields, and the form stays open', async () => {
    const page = await stage.open({
      component: 'QuestionForm',
      props: {
        question: {
          id: 'n',
          text: 'Which?',
          schema: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
      refuse: [
        { path: '/a', message: 'is taken' },
        { path: '', message: 'is late' },
      ],
    })
    await page.getByLabel('a', { exact: true }).fill('x')
    await page.keyboard.press('Enter')
    await page.getByText('is taken').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('is late')
    expect(await page.getByRole('button', { name: 'Send answer' }).isEnabled()).toBe(true)
  })

  test('another question in the same place is open, and takes nothing that was typed for the one before', async () => {
    const before = { id: 'one', text: 'Delete the lamp?', schema: { type: 'boolean' } }
    const after = { id: 'two', text: 'Delete the pier?', schema: { type: 'boolean' } }
    const page = await stage.open({ component: 'QuestionForm', props: { question: before } })
    const replace = async (question: object): Promise<void> =>
      await page.evaluate((props) => window.show({ component: 'QuestionForm', props }), {
        question,
      })
    await page.getByLabel('Yes').check()
    await replace(after)
    await page.getByText('Delete the pier?').waitFor()
    expect(await page.getByLabel('Yes').isChecked()).toBe(false)
    await page.getByLabel('No').check()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Sent.').waitFor()
    await replace(before)
    await page.getByText('Delete the lamp?').waitFor()
    expect(await page.getByRole('button', { name: 'Send answer' }).isEnabled()).toBe(true)
    expect(await page.getByLabel('Yes').isChecked()).toBe(true)
  })

  test('a question is declined with its own button', async () => {
    const page = await stage.open({ component: 'QuestionForm', props: { question: QUESTION } })
    await page.getByRole('button', { name: 'Decline to answer' }).click()
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([['answer', { action: 'decline' }]])
  })

  test('a draft is there after the page was loaded again, without secrets, until it is sent', async () => {
    const schema = {
      type: 'object',
      properties: { user: { type: 'string' }, password: { type: 'string' } },
    }
    const question = { id: 'login', text: 'Who?', schema }
    const page = await stage.open({
      component: 'QuestionForm',
      props: { question },
      drafts: 'session',
    })
    await page.getByLabel('user').fill('Ada')
    await page.getByLabel('password').fill('geheim')
    expect(await page.getByLabel('password').getAttribute('type')).toBe('password')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('geheim')
    await page.reload()
    await page.waitForSelector('html[data-ready]')
    await expect.poll(async () => await page.getByLabel('user').inputValue()).toBe('Ada')
    expect(await page.getByLabel('password').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  test('a draft does not replace what is typed before the script runs, and the field keeps the focus', async () => {
    const question = { id: 'name', text: 'Who?', schema: { type: 'string' } }
    const page = await stage.open({
      component: 'QuestionForm',
      props: { question },
      drafts: 'session',
    })
    await page.getByRole('textbox').fill('Ada')
    const scriptAsked = Promise.withResolvers<Route>()
    await page.route('**/page.js', scriptAsked.resolve)
    await page.reload({ waitUntil: 'commit' })
    const script = await scriptAsked.promise
    await page.getByRole('textbox').fill('Grace')
    await script.continue()
    await page.waitForSelector('html[data-ready]')
    // The field still has the focus.
    await page.keyboard.type(' Hopper')
    await page.getByRole('button', { name: 'Send answer' }).click()
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([
      ['answer', { action: 'accept', value: 'Grace Hopper' }],
    ])
  })

  test('an approval shows everything, and Enter in the reason denies', async () => {
    const page = await stage.open({
      component: 'ApprovalCard',
      props: { call: CALL, material: [{ type: 'text', text: 'line\n'.repeat(500) }] },
    })
    expect(await findBarriers(page)).toEqual([])
    const text = await page.locator('.tb-approval').innerText()
    expect(text).toContain(CALL.arguments.command)
    expect(text.match(/line/g)).toHaveLength(500)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.tb-approval *')]
        .filter((each) => each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 0)
        .filter(
          (each) => getComputedStyle(each).overflowY !== 'visible' && each.tagName !== 'INPUT',
        )
        .map((each) => each.className),
    )
    expect(cut).toEqual([])
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    await page.getByLabel('Reason for a denial').fill('Not that.')
    await page.keyboard.press('Enter')
    await page.getByText('Sent.').waitFor()
    expect(await page.evaluate(() => window.sent)).toEqual([
      ['decide', { decision: 'denied', reason: 'Not that.' }],
    ])
  })

  test('a key that is held down allows nothing; a press of Space does, once', async () => {
    const page = await stage.open({ component: 'ApprovalCard', props: { call: CALL } })
    const allow = page.getByRole('button', { name: 'Allow this call' })
    await page.keyboard.down('Enter')
    await allow.focus()
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(await page.evaluate(() => window.sent)).toEqual([])
    await page.keyboard.press('Space')
    await page.getByText('Sent.').waitFor()
    expect(await allow.isDisabled()).toBe(true)
    expect(await page.evaluate(() => window.sent)).toEqual([['decide', { decision: 'allowed' }]])
  })

  test('a screen reader is told the states of calls, the question and the decision', async () => {
    const parts = [
      { type: 'text', text: 'I look.' },
      {
        type: 'tool-fs.read',
        toolCallId: '1',
        state: 'output-available',
        input: { path: 'a.txt' },
        output: { content: [{ type: 'text', text: 'lamps' }], isError: false },
      },
      {
        type: 'dynamic-tool',
        toolName: 'shell.run',
        toolCallId: '2',
        state: 'approval-requested',
        input: { command: 'ls' },
        approval: { id: 'a' },
      },
      {
        type: 'data-question',
        data: {
          id: 'q',
          tool: 'draw',
          request: { id: 'size', text: 'Which size?', schema: { enum: ['small', 'big'] } },
          blocks: [],
          state: 'open',
        },
      },
    ]
    const page = await stage.open({
      component: 'Conversation',
      props: { messages: [{ id: '1', role: 'assistant', parts }] },
    })
    expect(await page.locator('.tb-conversation').ariaSnapshot()).toMatchInlineSnapshot(`
      "- region "Conversation":
        - article "Assistant":
          - paragraph: I look.
          - group "Call of fs.read":
            - paragraph:
              - strong: fs.read
              - status: done
            - group: path=a.txt
            - text: lamps
          - group "Call of shell.run":
            - paragraph:
              - strong: shell.run
              - status: waits for a decision
            - group "Run shell.run?":
              - paragraph: Run shell.run?
              - text: "command:"
              - code: ls
              - button "Allow this call"
              - text: Reason for a denial (optional; the model reads it)
              - textbox "Reason for a denial (optional; the model reads it)"
              - button "Deny this call"
          - 'form "Answer: Which size?"':
            - group "Which size?":
              - text: Which size?
              - radio "small"
              - text: small
              - radio "big"
              - text: big
            - paragraph:
              - button "Send answer"
              - button "Decline to answer""
    `)
    await page.getByRole('button', { name: 'Allow this call' }).press('Enter')
    await page.getByLabel('big').check()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect
      .poll(async () => await page.evaluate(() => window.sent))
      .toEqual([
        ['approval', { id: 'a', approved: true }],
        ['answer', 'q', { action: 'accept', value: 'big' }],
      ])
  })

  test('what a person has typed, opened or sent in a conversation is still there after scrolling', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => ({
      id: `text-${index}`,
      role: 'user',
      parts: [{ type: 'text', text: `message ${index}.` }],
    }))
    const used = {
      id: 'used',
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'First, the boats.' },
        {
          type: 'tool-draw',
          toolCallId: '1',
          state: 'approval-requested',
          input: { what: 'a boat' },
          approval: { id: 'approval-1' },
        },
        {
          type: 'data-question',
          data: { id: 'question-1', tool: 'draw', request: QUESTION, blocks: [], state: 'open' },
        },
      ],
    }
    const messages = [used, ...texts]
    const page = await stage.open({ component: 'Conversation', props: { messages } })
    const scroll = async (to: 'start' | 'end'): Promise<void> =>
      await page.evaluate(
        (edge) => scrollTo(0, edge === 'end' ? document.documentElement.scrollHeight : 0),
        to,
      )
    await page.getByText('Reasoning').click()
    await page.getByLabel('Reason for a denial').fill('no boats')
    await page.getByRole('button', { name: 'Decline to answer' }).click()
    await page.getByText('Sent.').waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await scroll('end')
    await page.getByText('message 199.', { exact: true }).waitFor()
    await scroll('start')
    await page.getByText('message 1.', { exact: true }).waitFor()
    expect(await page.getByLabel('Reason for a denial').inputValue()).toBe('no boats')
    expect(await page.getByText('Sent.').count()).toBe(1)
    expect(await page.locator('.tb-reasoning[open]').count()).toBe(1)
    await page.close()
  })
})
