import { createServer } from 'node:http'
import { openStore } from '../../../packages/conversation-store/src/index.ts'
import {
  BROWSER,
  NO_BROWSER,
  startBrowser,
} from '../../../packages/viewer/browser/browser.support.ts'
import { serveViewer } from '../../../packages/viewer/src/serve-viewer.ts'
import { compareTimes, toRow } from '../measure.mjs'

export const title = 'Pages of a long conversation'
export const intro =
  'A conversation of 100,000 events, in Chromium without a window. The first paint ends when the first events are in the page. The yardstick is a static page of 50 events without styles and ' +
  'scripts, from `node:http`. All times contain the messages between this process and the browser.'

const MANY = 100_000

export async function measure(pace) {
  if (BROWSER === undefined) throw new Error(NO_BROWSER)
  const store = await openStore('memory:')
  const events = Array.from({ length: MANY }, (_, index) => ({
    type: 'user_message',
    content: [{ type: 'text', text: `said ${index + 1}` }],
  }))
  await store.append('many', 0, events)
  const view = await serveViewer({ store, name: 'memory', options: {} })
  const plain = await servePlain()
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(view.getUrl(''))
    await page.waitForSelector('.tb-list')
    return await measurePages(pace, {
      page,
      address: view.getUrl('conversation?id=many').split('#')[0],
      plain: plain.url,
    })
  } finally {
    await browser.close()
    await view.close()
    await plain.close()
  }
}

async function measurePages(pace, { page, address, plain }) {
  const few = { ...pace, rounds: pace.form === 'quick' ? 9 : 25, roundMs: 1, warmupMs: 500 }
  const open = async (url) => {
    await page.goto('about:blank')
    const start = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForSelector('.tb-event')
    return performance.now() - start
  }
  const [own, bare] = [[], []]
  // The first visits fill the caches of the browser.
  for (let round = -2; round < few.rounds; round += 1) {
    const times = [await open(address), await open(plain)]
    if (round < 0) continue
    own.push(times[0])
    bare.push(times[1])
  }
  const target = { most: 350 }
  const rows = [
    toRow({ name: 'first paint', clock: 'elapsed', against: 'a static page', target }, own, bare),
  ]
  await open(address)
  const frame = async () => {
    await page.evaluate(async () => await new Promise(requestAnimationFrame))
  }
  let state = 1
  const jump = async () => {
    state = (state * 48_271) % 2_147_483_647
    const seq = 1 + (state % MANY)
    await page.evaluate((eventSeq) => (location.hash = `#e${eventSeq}`), seq)
    await page.waitForSelector(`#e${seq}`)
  }
  const scroll = async () => {
    await page.mouse.wheel(0, 800)
    await frame()
  }
  for (const [name, ours] of [
    ['a jump to any event', jump],
    ['scrolling by a screen', scroll],
  ])
    rows.push(
      await compareTimes(few, {
        name,
        clock: 'elapsed',
        ours,
        against: 'one frame of the browser',
        yardstick: frame,
      }),
    )
  return rows
}

async function servePlain() {
  const items = Array.from({ length: 50 }, (_, index) => `<li class="tb-event">said ${index + 1}`)
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>plain</title><ul>${items.join('')}</ul>`)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
