import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { createViewer } from '../create-viewer.ts'
import { park } from '../pending.support.ts'
import { recordUse, servedTo } from './use.support.ts'

/** Opens the pages of a store, and reads them. */
async function open(
  fill: (store: ConversationStore) => Promise<unknown>,
  growth: 'live' | 'files' = 'live',
): Promise<(address: string) => Promise<{ status: number; text: string }>> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  await fill(store)
  const pages = createViewer({ store, name: 'ours', options: {}, growth })
  return async (address) => {
    const response = await pages(new Request(`http://127.0.0.1/${address}`))
    return { status: response.status, text: await response.text() }
  }
}

const NOW = Date.now()
const HOUR = 3_600_000

test('the page says who uses what, what fails, what is slow and what waits, with links to calls', async () => {
  const read = await open(async (store) => {
    await recordUse(store, 'of-ann', {
      values: servedTo('Ann'),
      at: NOW - HOUR,
      calls: [
        { tool: 'files__read', took: 1200 },
        { tool: 'files__read', outcome: 'failed', took: 90_000 },
      ],
    })
    await recordUse(store, 'week', {
      values: servedTo('Ben'),
      at: NOW - 50 * HOUR,
      calls: [{ tool: 'count' }],
    })
    await park(store, { kind: 'approval', tool: 'sweep' })
  })
  const { text } = await read('use')
  expect(text).toContain('3 calls in 2 conversations')
  expect(text).toContain('<th scope="row">Ann</th><td>2</td><td>1</td>')
  expect(text).toContain('<th scope="row">read <span class="tb-facts">files</span></th>')
  expect(text).toContain('<td>1 <span class="tb-facts">50 %</span></td><td>1.2 s</td>')
  expect(text).toContain('<a href="conversation?id=of-ann&amp;at=4#e4">1 min 30 s</a>')
  expect(text).toContain('<th scope="row">failed</th><td>1</td>')
  expect(text).toMatch(/href="question\?id=\w+">sweep needs approval/)
  expect(text).not.toContain('Ben')
  expect(text).toContain('<a href="use?since=24h" aria-current="page">24 hours</a>')
  expect((await read('use?since=7d')).text).toContain('<th scope="row">Ben</th>')
  expect((await read('')).text).toContain('<a href="use">Use</a>')
})

test('of clients and people with the same name, the page says in words how each is known', async () => {
  const identify = (name: string, id: string) => ({ command: 'serve', identity: { id, name } })
  const read = await open(async (store) => {
    for (const [index, values] of [
      servedTo('Ann'),
      identify('Ann', '["oauth","https://login.example","a-1"]'),
      identify('Ann', '["key","7"]'),
      identify('Ann', 'ann-8'),
      { command: 'serve', client: { name: 'Ann' } },
      servedTo('Ben'),
    ].entries())
      await recordUse(store, `of-${index}`, { values, at: NOW - HOUR, calls: [{ tool: 'count' }] })
  })
  const rows = [...(await read('use')).text.matchAll(/<th scope="row">((?:Ann|Ben)[^]*?)<\/th>/g)]
  const facts = rows.map(([, row = '']) => row.replaceAll(/<[^>]*>/g, ''))
  expect(facts.toSorted()).toEqual([
    'Ann as it names itself',
    'Ann by credentials as ann-8',
    'Ann by credentials as key 7',
    'Ann by https://login.example as a-1',
    'Ann by its token',
    'Ben',
  ])
})

test('tools are sorted by calls, by failures or by their time', async () => {
  const read = await open(async (store) => {
    await recordUse(store, 'of-ann', {
      values: servedTo('Ann'),
      at: NOW - HOUR,
      calls: [
        { tool: 'often' },
        { tool: 'often' },
        { tool: 'often' },
        { tool: 'bad', outcome: 'failed' },
        { tool: 'bad', outcome: 'denied' },
        { tool: 'slow', took: 60_000 },
      ],
    })
  })
  const tools = async (address: string): Promise<readonly string[]> => {
    const [, table = ''] =
      /<h2>Tools<\/h2>([^]*)<h2>Failures/.exec((await read(address)).text) ?? []
    return [...table.matchAll(/<th scope="row">(\w+)/g)].map(([, name = '']) => name)
  }
  expect(await tools('use')).toEqual(['often', 'bad', 'slow'])
  expect((await tools('use?sort=failures'))[0]).toBe('bad')
  expect((await tools('use?sort=time&since=30d'))[0]).toBe('slow')
  expect(await tools('use?sort=__proto__&since=constructor')).toEqual(['often', 'bad', 'slow'])
})

test('what comes from clients and tools is text on the page, also in addresses', async () => {
  const evil = '<img src=x onerror=alert(1)>"\u001b[31m\u202e'
  const read = await open(async (store) => {
    await recordUse(store, `id"><b>`, {
      values: servedTo(evil),
      at: NOW - HOUR,
      calls: [{ tool: `${evil}__${evil}`, outcome: 'failed' }],
    })
    await recordUse(store, 'named', {
      values: { command: 'serve', client: { name: evil } },
      at: NOW - HOUR,
      calls: [{ tool: '__' }],
    })
  })
  const { text } = await read('use')
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(text).not.toContain('<img')
  expect(text).not.toContain('<b>')
  for (const character of ['\u001b', '\u202e']) expect(text).not.toContain(character)
  expect(text).toContain('as it names itself')
})

test('a store without calls says so, and pages of files have no such page', async () => {
  const read = await open(async () => {})
  expect((await read('use')).text).toContain('0 calls in 0 conversations')
  const files = await open(async () => {}, 'files')
  expect((await files('use')).status).toBe(404)
  expect((await files('')).text).not.toContain('href="use"')
})
