import { type ConversationEvent, openStore } from '@toolblocks/conversation-store'
import { afterAll, beforeAll, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { BROWSER, NO_BROWSER, startBrowser } from './browser.suite.ts'
import { type ServedViewer, serveViewer } from '../src/serve-viewer.ts'

const MANY = 100_000
const said = (index: number): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text: `said ${index + 1}` }],
})

let view: ServedViewer
let browser: Browser
let page: Page

beforeAll(async () => {
  const store = await openStore('memory:')
  await store.append(
    'many',
    0,
    Array.from({ length: MANY }, (_, index) => said(index)),
  )
  view = await serveViewer({ store, name: 'memory', options: {} })
  browser = await startBrowser()
  page = await browser.newPage()
  await page.goto(view.getUrl(''))
  await page.waitForSelector('.tb-list')
})

afterAll(async () => {
  await browser.close()
  await view.close()
})

test.skipIf(BROWSER === undefined)(
  `a conversation of 100,000 events in a browser${BROWSER ? '' : ` (${NO_BROWSER})`}`,
  async ({ bench }) => {
    const [address = ''] = view.getUrl('conversation?id=many').split('#')
    const options = { iterations: 5, time: 0, warmupIterations: 1, warmupTime: 0 }
    await bench.compare(
      bench('first paint', async () => {
        await page.goto('about:blank')
        await page.goto(address)
        await page.waitForSelector('.tb-event')
      }),
      bench('a jump to somewhere in it', async () => {
        const seq = 1 + Math.floor(Math.random() * MANY)
        await page.evaluate((place) => (location.hash = `#e${place}`), seq)
        await page.waitForSelector(`#e${seq}`)
      }),
      bench('scrolling by a screen', async () => {
        await page.mouse.wheel(0, 800)
        await page.evaluate(async () => await new Promise(requestAnimationFrame))
      }),
      options,
    )
  },
)
