import { isToolResult, type ToolResult } from '@toolblocks/protocol'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  BROWSER,
  findBarriers,
  NO_BROWSER,
  SKIPS_BROWSER,
  startBrowser,
} from '../../viewer/browser/browser.support.ts'
import { EVERY_KIND, toResult } from '../../viewer/browser/every-kind.support.ts'
import { HOSTILE } from '../../viewer/browser/hostile.support.ts'
import type { Message } from '../src/index.ts'
import { openStage, type Stage } from './stage.support.ts'

const MANY = 100_000
const PHONE = { width: 360, height: 740 }
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

  test.for(['light', 'dark'] as const)(
    'a result of every kind hydrates, breaks no rule of accessibility and fits a phone, %s',
    async (colorScheme) => {
      const messages: Message[] = Object.entries(EVERY_KIND).map(([name, partial]) => ({
        id: name,
        role: 'assistant',
        parts: [
          {
            type: 'tool-show',
            toolCallId: name,
            state: 'output-available',
            input: { name },
            output: toResult(partial),
          } as { type: string },
        ],
      }))
      const page = await stage.open(
        { component: 'Conversation', props: { messages } },
        { around: `class="${colorScheme}"` },
      )
      expect(await page.locator('[data-state=output-available]').count()).toBe(messages.length)
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
      const back = await page
        .locator('.tb-call')
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
      expect(back).toBe(colorScheme === 'dark' ? 'rgb(21, 24, 28)' : 'rgb(255, 255, 255)')
    },
  )

  test('the style changes nothing outside the components', async () => {
    const page = await stage.open({ component: 'ApprovalCard', props: { call: CALL } })
    const read = async (): Promise<unknown> =>
      await page.evaluate(() =>
        [document.documentElement, document.body, document.querySelector('h1')].map((element) => {
          const { font, color, margin, boxSizing, colorScheme } = getComputedStyle(
            element ?? document.body,
          )
          return [font, color, margin, boxSizing, colorScheme]
        }),
      )
    const before = await read()
    await page.evaluate(() => document.querySelector('link[rel=stylesheet]')?.remove())
    expect(await read()).toEqual(before)
  })

  test('hostile text in every place is text: nothing runs, nothing is fetched, no address is dangerous', async () => {
    const messages = HOSTILE.flatMap((event, index): object[] => {
      const id = String(index)
      if (event.type === 'tool_result')
        return [
          {
            id,
            role: 'assistant',
            parts: [
              {
                type: 'tool-x',
                toolCallId: id,
                state: 'output-available',
                input: {},
                output: event.result,
              },
            ],
          },
        ]
      if (event.type !== 'tool_call') return []
      const attack = event.call.name
      const { arguments: input } = event.call
      return [
        {
          id,
          role: 'assistant',
          parts: [
            { type: 'text', text: attack },
            { type: 'reasoning', text: attack },
            { type: 'file', mediaType: attack, url: attack, filename: attack },
            { type: 'source-url', url: attack, title: attack },
            {
              type: `tool-${attack}`,
              toolCallId: id,
              state: 'output-error',
              input,
              errorText: attack,
            },
            {
              type: 'dynamic-tool',
              toolName: attack,
              title: attack,
              toolCallId: id,
              state: 'approval-requested',
              input,
              approval: { id, requestReason: attack },
            },
            {
              type: 'data-question',
              data: {
                id,
                tool: attack,
                state: 'open',
                blocks: [{ type: 'text', text: attack }],
                request: {
                  id: attack,
                  text: attack,
                  url: attack,
                  schema: {
                    type: 'object',
                    properties: {
                      [attack]: {
                        type: 'string',
                        title: attack,
                        description: attack,
                        default: attack,
                      },
                      choice: { oneOf: [{ const: attack, title: attack }, { const: 'b' }] },
                    },
                  },
                },
              },
            },
          ],
        },
      ]
    })
    const results = HOSTILE.filter(
      (event) => event.type === 'tool_result' && isToolResult(event.result),
    )
    expect(results.length).toBeGreaterThan(100)
    for (let start = 0; start < messages.length; start += 40) {
      const page = await stage.open({
        component: 'Conversation',
        props: { messages: messages.slice(start, start + 40) },
      })
      const elements = await page.evaluate(() => ({
        owned: 'owned' in globalThis,
        foreign: document.querySelectorAll(
          '#root :is(script, iframe, object, embed, base, meta, link, style, svg, math, form[action])',
        ).length,
        handlers: [...document.querySelectorAll('#root :not(.tb-away)')].filter((element) =>
          element.getAttributeNames().some((name) => name.startsWith('on') || name === 'style'),
        ).length,
        addresses: [...document.querySelectorAll('#root [href], #root [src]')]
          .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '')
          .filter(
            (address) =>
              !/^(?:https?:\/\/[^@]+$|mailto:|data:application\/octet-stream;)/.test(address),
          ),
        headings: document.querySelectorAll('h1').length,
      }))
      expect(elements).toEqual({
        owned: false,
        foreign: 0,
        handlers: 0,
        addresses: [],
        headings: 1,
      })
      await page.close()
    }
  })

  test(`of ${MANY} messages only those near the visible ones are elements, at every place`, async () => {
    const messages = Array.from({ length: MANY }, (_, index) => ({
      id: String(index),
      role: index % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text: `message ${index}.` }],
    }))
    const page = await stage.open({ component: 'Conversation', props: { messages } })
    const count = async (): Promise<number> => await page.locator('article').count()
    await page.getByText('message 0.', { exact: true }).waitFor()
    await expect.poll(count).toBeLessThan(300)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
    await expect
      .poll(
        async () =>
          await page.locator('article').evaluateAll((all) => {
            const seen = all.filter((each) => {
              const { top, bottom } = each.getBoundingClientRect()
              return bottom > 0 && top < innerHeight
            })
            return seen.length > 2
          }),
      )
      .toBe(true)
    await expect.poll(count).toBeLessThan(300)
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.getByText(`message ${MANY - 1}.`, { exact: true }).waitFor()
    await expect.poll(count).toBeLessThan(300)
    const elements = await page.evaluate(() => document.querySelectorAll('#root *').length)
    expect(elements).toBeLessThan(MANY / 20 + 3000)
    await page.close()
  })

  test(`of a table with ${MANY} rows only those near the visible ones are elements, sorted and filtered too`, async () => {
    const rows = Array.from({ length: MANY }, (_, index) => ({
      name: `lamp ${index}`,
      count: index,
    }))
    const result = toResult({
      structuredContent: {
        kind: 'table',
        data: { columns: [{ key: 'name' }, { key: 'count', type: 'number' }], rows },
      },
    })
    // JSON has no Infinity.
    const page = await stage.open({
      component: 'ToolResult',
      props: { result, maxLines: 2 * MANY },
    })
    const count = async (): Promise<number> => await page.locator('tr').count()
    await expect.poll(count).toBeLessThan(2000)
    await page.getByRole('button', { name: 'count' }).click()
    await page.getByRole('button', { name: 'count' }).press('Enter')
    await page.getByText(`lamp ${MANY - 1}`, { exact: true }).waitFor()
    expect(await page.locator('th').last().getAttribute('aria-sort')).toBe('descending')
    await page.locator('.tb-scroll').evaluate((box) => (box.scrollTop = box.scrollHeight / 2))
    await expect
      .poll(async () => await page.locator('tbody tr td code, tbody tr').count())
      .toBeGreaterThan(1)
    await page.getByLabel('Filter rows').fill('lamp 4242')
    await page.getByText('lamp 4242', { exact: true }).waitFor()
    expect(await page.getByText(/^\d+ of 100,000 rows$/).textContent()).toBe('20 of 100,000 rows')
    await expect.poll(count).toBeLessThan(2000)
    await page.close()
  })

  test('nothing moves while a message and its calls arrive', async () => {
    const createScene = (text: string, part?: object): object => ({
      component: 'Conversation',
      props: {
        messages: [
          { id: '1', role: 'user', parts: [{ type: 'text', text: 'Show me.' }] },
          { id: '2', role: 'assistant', parts: [...(part ? [part] : []), { type: 'text', text }] },
        ],
      },
    })
    const call = { type: 'tool-x', toolCallId: '1' }
    const output: ToolResult = toResult(EVERY_KIND['table'] ?? {})
    const states = [
      ...Array.from({ length: 40 }, (_, index) => ({
        ...call,
        state: 'input-streaming',
        rawInput: `{"path": "${'long '.repeat(index * 3)}`,
      })),
      { ...call, state: 'input-available', input: { path: 'long' } },
      { ...call, state: 'output-available', input: { path: 'long' }, output },
    ]
    const page = await stage.open(createScene('') as Parameters<Stage['open']>[0])
    for (const state of states)
      await page.evaluate(
        (scene) => {
          window.show(scene)
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        },
        createScene('', state) as Parameters<Stage['open']>[0],
      )
    for (let length = 0; length < 60; length += 1)
      await page.evaluate(
        (scene) => {
          window.show(scene)
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
        },
        createScene(
          'There is **all** of it.\n\n- one\n'.repeat(length).trim(),
          states.at(-1),
        ) as Parameters<Stage['open']>[0],
      )
    expect(await page.locator('li').count()).toBe(59)
    expect(await page.evaluate(() => window.shifts)).toEqual([])
  })
})
