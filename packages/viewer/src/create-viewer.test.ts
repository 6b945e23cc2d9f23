import {
  type ConversationEvent,
  type ConversationStore,
  openStore,
  StoreError,
} from '@toolblocks/conversation-store'
import { getText, type ToolResult } from '@toolblocks/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createViewer } from './create-viewer.ts'
import { guardPages } from './guard.ts'
import { createSourceFeed } from './reading/source-feed.ts'
import { TWO_TURNS } from './two-turns.support.ts'
import type { GalleryItem } from './pages/render-pages.ts'

const GALLERY: readonly GalleryItem[] = [
  { title: 'A <lamp>', result: { content: [{ type: 'text', text: 'It burns.' }], isError: false } },
]

const HOST = { host: '127.0.0.1:4711' }

/** Sends requests below the path of the pages. */
interface Pages {
  request(path: string, init: RequestInit): Promise<Response>
}

/** The pages of a store with one conversation, and the cookie for access. */
async function open(more: { theme?: 'dark' } = {}): Promise<{
  app: Pages
  own: Record<string, string>
  token: string
  store: ConversationStore
}> {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  await store.append('../lamps & <b>', 0, TWO_TURNS)
  const pages = createViewer({
    store,
    name: 'kept.db',
    ...more,
    gallery: async () => GALLERY,
    options: { forModel: (result, delivery) => delivery?.text ?? textForModel(result) },
  })
  const guard = guardPages(pages, { port: () => 4711, now: () => 0 })
  const app: Pages = {
    request: async (path, init) =>
      await guard.fetch(new Request(`http://127.0.0.1:4711${guard.path}${path.slice(1)}`, init)),
  }
  const entered = await enter(app, guard.token)
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { app, own: { ...HOST, cookie }, token: guard.token, store }
}

function textForModel({ content }: ToolResult): string {
  return `for the model: ${content.map(getText).join('')}`
}

async function enter(app: Pages, token: string, headers: object = {}): Promise<Response> {
  return await app.request('/enter', {
    method: 'POST',
    headers: {
      ...HOST,
      origin: 'http://127.0.0.1:4711',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ token }),
  })
}

const ID = encodeURIComponent('../lamps & <b>')

test('pages have the colours of the browser, or of the setting', async () => {
  const style = async ({ app, own }: Awaited<ReturnType<typeof open>>): Promise<string> =>
    await (await app.request('/view.css', { headers: own })).text()
  expect(await style(await open())).not.toContain('color-scheme')
  expect(await style(await open({ theme: 'dark' }))).toContain(':root{color-scheme:dark}')
})

describe('the pages', () => {
  test('list conversations, with a link to each for any id', async () => {
    const { app, own } = await open()
    const text = await (await app.request('/', { headers: own })).text()
    expect(text).toContain('Count the lamps, please.')
    expect(text).toContain('../lamps &amp; &lt;b&gt;')
    const [, address = ''] = /href="(conversation[^"]+)"/.exec(text) ?? []
    const page = await app.request(`/${address.split('#')[0]}`, { headers: own })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Count the lamps, please.')
  })

  test('show a conversation as it happened, with questions and answers', async () => {
    const { app, own } = await open()
    const text = await (await app.request(`/events?id=${ID}&from=1`, { headers: own })).text()
    for (const expected of ['count_lamps', 'Also the broken ones?', 'Seven lamps.', 'mend_lamps'])
      expect(text).toContain(expected)
  })

  test('find events by words', async () => {
    const { app, own } = await open()
    const text = await (await app.request('/search?q=seven', { headers: own })).text()
    expect(text).toContain('2 events')
    expect(text).toContain('#e7')
    expect(text).toContain('Count the lamps, please. #7')
    expect(text).toContain('#7</a><p class="tb-facts">assistant message · <time ')
  })

  test('say which part of a long text a search covers', async () => {
    const { app, own, store } = await open()
    const text = `${'a '.repeat(99_997)}near ${'a '.repeat(100)}distant`
    await store.append('long', 0, [{ type: 'user_message', content: [{ type: 'text', text }] }])
    const search = async (word: string): Promise<string> =>
      await (await app.request(`/search?q=${word}`, { headers: own })).text()
    expect(await search('near')).toContain('1 event with near')
    const page = await search('distant')
    expect(page).toContain('0 events with distant')
    expect(page).toContain('Of each event, the first 200,000 characters are searched.')
  })

  test('refuse a search text that is too long, with its length and the limit', async () => {
    const { app, own } = await open()
    const search = async (length: number): Promise<[number, string]> => {
      const answer = await app.request(`/search?q=${'a'.repeat(length)}`, { headers: own })
      return [answer.status, await answer.text()]
    }
    const [status, page] = await search(9000)
    expect(status).toBe(400)
    expect(page).toContain(
      'A search text can have at most 500 characters, and this one has 9,000. Search for fewer words.',
    )
    expect(page).toContain('maxlength="500"')
    expect((await search(501))[0]).toBe(400)
    expect((await search(500))[0]).toBe(200)
  })

  test.for([
    '/conversation?id=else',
    '/search?q=seven&in=else',
    '/events?id=else',
    '/totals?id=else',
    '/outline?id=else',
    '/export?id=else',
  ])('report an unknown conversation: %s', async (address) => {
    const { app, own } = await open()
    const answer = await app.request(address, { headers: own })
    expect([answer.status, await answer.text()]).toEqual([404, 'There is no such conversation.\n'])
  })

  test('report appended events', async () => {
    const { app, own } = await open()
    const answer = await app.request(`/follow?id=${ID}&after=9`, { headers: own })
    const reader = answer.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value)).toBe('data: 10\n\n')
    await reader?.cancel()
  })

  test('report that a conversation was deleted and begun again, also to a page that comes back', async () => {
    const { app, own, store } = await open()
    const id = decodeURIComponent(ID)
    const follow = async (after: number): Promise<(text: string) => Promise<void>> => {
      const { body } = await app.request(`/follow?id=${ID}&after=${after}`, { headers: own })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      return async (text) => {
        let read = ''
        while (!read.includes(text)) {
          const { value } = (await reader?.read()) ?? {}
          if (value === undefined) throw new Error(`the stream ended without ${text}: ${read}`)
          read += value
        }
      }
    }
    const until = await follow(9)
    await until('data: 10\n\n')
    await store.append(id, 10, [{ type: 'turn_start', turn: 3 }])
    await until('data: 11\n\n')
    await store.delete(id)
    await store.append(id, 0, [{ type: 'turn_start', turn: 1 }])
    await until('event: begun-again\ndata: \n\n')
    const untilAfterwards = await follow(10)
    await untilAfterwards('event: begun-again\ndata: \n\n')
  })
})

describe('the timeline', () => {
  const result = { id: 'a', content: [{ type: 'text', text: 'lit' }], isError: false } as const
  const events = [
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: [{ type: 'text', text: 'Light the lamp.' }] },
    { type: 'tool_call', call: { id: 'a', name: 'light', arguments: {} } },
    { type: 'tool_result', result },
  ] as const

  async function readPage(...more: readonly ConversationEvent[]): Promise<string> {
    const { app, own, store } = await open()
    await store.append('lamps', 0, [...events, ...more])
    return await (await app.request('/conversation?id=lamps&model-view', { headers: own })).text()
  }

  test('folds reasoning to its beginning, without the marks of Markdown', async () => {
    const reasoning = '## Look\nIt is in `lamp.ts`. **First** 2*3 lamps.'
    const page = await readPage({ type: 'assistant_message', content: [], reasoning })
    expect(page).toContain(
      'Thought <span class="tb-facts">Look It is in lamp.ts. First 2*3 lamps.</span>',
    )
  })

  test('says the number of events in one line', async () => {
    expect(await readPage()).toContain(
      '<span class="tb-when"><span id="tb-count">4</span> events</span>',
    )
  })

  test('marks events that a rewind has undone', async () => {
    const page = await readPage({ type: 'rewind', to: 2 })
    expect(page.match(/undone by #5/g)).toHaveLength(1)
    expect(page).toMatch(/id="e3" class="[^"]* tb-undone"/)
    expect(page).not.toMatch(/id="e2" class="[^"]* tb-undone"/)
  })

  test('shows beside a result what the model received, or would receive, and says which', async () => {
    const expected = await readPage()
    expect(expected).toContain('What a model would receive')
    expect(expected).toContain('<pre>for the model: lit</pre>')
    const delivery = {
      type: 'delivery',
      callId: 'a',
      text: 'the lamp is lit',
      deliveries: [],
    } as const
    const received = await readPage(delivery)
    expect(received).toContain('<pre>the lamp is lit</pre>')
    expect(received).toContain('What the model received')
    expect(received).not.toContain('would receive')
  })

  test('shows what the model received of a result for any number of parallel calls', async () => {
    const { app, own, store } = await open()
    const ids = Array.from({ length: 150 }, (_, index) => `call-${index}`)
    const call = (id: string) => ({ id, name: 'light', arguments: {} })
    await store.append('many', 0, [
      ...ids.map((id) => ({ type: 'tool_call', call: call(id) }) as const),
      ...ids.map((id) => ({ type: 'tool_result', result: { ...result, id } }) as const),
      ...ids.map(
        (id) => ({ type: 'delivery', callId: id, text: `of ${id}`, deliveries: [] }) as const,
      ),
    ])
    const page = await app.request('/conversation?id=many&at=20&model-view', { headers: own })
    expect(await page.text()).toContain('<pre>of call-20</pre>')
  })

  test('estimates tokens if no provider has counted them', async () => {
    const page = await readPage()
    expect(page).toContain('about 6 tokens: 6 in messages and calls, 0 in results')
  })

  test('of a long conversation is shown before all of it is read, and the rest can be requested', async () => {
    const { app, own, store } = await open()
    const message = { type: 'user_message', content: [{ type: 'text', text: 'four' }] } as const
    await store.append('long', 0, [
      ...Array.from({ length: 6000 }, () => message),
      { type: 'rewind', to: 1 },
    ])
    const page = await (await app.request('/conversation?id=long', { headers: own })).text()
    expect(page).toContain('counting tokens…')
    const totals = await app.request('/totals?id=long', { headers: own })
    expect(await totals.text()).toBe('about 1 token')
    expect(totals.headers.get('tb-rewinds')).toBe('1')
    const again = await (await app.request('/events?id=long&from=1', { headers: own })).text()
    expect(again.match(/undone by #6001/g)).toHaveLength(99)
  })
})

test('a conversation can be downloaded: as Markdown, or as one self-contained page', async () => {
  const { app, own } = await open()
  const id = encodeURIComponent('../lamps & <b>')
  const markdown = await app.request(`/export?id=${id}`, { headers: own })
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(markdown.headers.get('content-disposition')).toBe(
    `attachment; filename*=UTF-8''${encodeURIComponent('../lamps & <b>.md')}`,
  )
  expect(await markdown.text()).toContain('> Count the lamps, please.')
  const page = await app.request(`/export?id=${id}&as=html`, { headers: own })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await page.text()).toMatch(/^<!DOCTYPE html>[^]*Count the lamps, please\./i)
  expect((await app.request('/export?id=nothing', { headers: own })).status).toBe(404)
})

test('the gallery results of a host have their own page', async () => {
  const { app, own } = await open()
  const page = await (await app.request('/gallery', { headers: own })).text()
  expect(page).toContain('<h2>A &lt;lamp&gt;</h2>')
  expect(page).toContain('It burns.')
})

describe('a client without the token', () => {
  test.for([
    '/',
    '/conversation?id=x',
    '/events?id=x',
    '/export?id=x',
    '/follow?id=x',
    '/search?q=a',
    '/totals?id=x',
    '/gallery',
  ])('receives nothing of %s', async (address) => {
    const { app } = await open()
    for (const cookie of ['', 'toolblocks-4711-x=y']) {
      const answer = await app.request(address, { headers: { ...HOST, cookie } })
      expect(answer.status).toBe(401)
      expect(await answer.text()).not.toContain('lamps')
    }
  })

  test('cannot try tokens without a limit', async () => {
    const { app, token } = await open()
    for (let time = 0; time < 10; time += 1) expect((await enter(app, 'x')).status).toBe(401)
    expect((await enter(app, 'x')).status).toBe(429)
    expect((await enter(app, token)).status).toBe(204)
  })
})

describe('another page in the same browser', () => {
  test.for([
    ['under a name that leads here', { host: 'evil.example:4711' }, 421],
    ['on another port', { host: '127.0.0.1:80' }, 421],
    ['of another origin', { origin: 'http://evil.example' }, 403],
    ['without an origin of its own', { origin: 'null' }, 403],
    ['as a picture', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ] as const)('%s receives nothing', async ([, headers, status]) => {
    const { app, own } = await open()
    const answer = await app.request('/', { headers: { ...own, ...headers } })
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toContain('lamps')
  })

  test('cannot sign in, nor change anything', async () => {
    const { app, token, own } = await open()
    expect((await enter(app, token, { origin: 'http://evil.example' })).status).toBe(403)
    expect((await enter(app, token, { 'content-type': 'text/plain' })).status).toBe(415)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await app.request('/', { method, headers: own })).status).toBe(405)
  })
})

test('every response has a policy for its page, also a refusal', async () => {
  const { app, own } = await open()
  for (const headers of [own, HOST, { host: 'evil.example' }]) {
    const { headers: responseHeaders } = await app.request('/', { headers })
    expect(responseHeaders.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'",
    )
    expect(responseHeaders.get('content-security-policy')).not.toContain('unsafe')
    expect(responseHeaders.get('access-control-allow-origin')).toBeNull()
    expect(responseHeaders.get('x-content-type-options')).toBe('nosniff')
    expect(responseHeaders.get('cache-control')).toBe('no-store')
  }
})

test('a request that a store cannot answer gets the sentence of its error, and a wrong place in the list is the fault of the address', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const search = async (): Promise<never> =>
    await Promise.reject(new StoreError('failed', 'the file is gone'))
  const pages = createViewer({ store: { ...store, search }, name: 'x', options: {} })
  const read = async (path: string): Promise<[number, string]> => {
    const response = await pages(new Request(`http://127.0.0.1${path}`))
    return [response.status, await response.text()]
  }
  expect(await read('/search?q=a')).toEqual([500, 'the file is gone\n'])
  const [status, text] = await read('/?cursor=xyz')
  expect([status, text]).toEqual([400, expect.stringContaining('cursor')])
})

test('while a file is being read, a search says so, and an export waits', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  await store.append('c', 0, TWO_TURNS)
  const sources = createSourceFeed({ extent: 'beginning', share: 0.425, warnings: [] })
  const pages = createViewer({ store, name: 'x', options: {}, sources })
  const read = async (path: string): Promise<Response> =>
    await pages(new Request(`http://127.0.0.1${path}`))
  const note = 'The rest is being read: 42 %'
  expect(await (await read('/search?q=lamp')).text()).toContain(note)
  const early = await read('/export?id=c')
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await early.text()).toContain('still being read (42 %)')
  sources.tell({ extent: 'whole', share: 1, warnings: [] })
  expect(await (await read('/search?q=lamp')).text()).not.toContain(note)
  expect((await read('/export?id=c')).status).toBe(200)
})

test('an export without an event that cannot be read is refused, and says which', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  await store.append('c', 0, TWO_TURNS)
  const problem = { path: '/2', message: 'the file was deleted', code: 'damaged-event' } as const
  const damaged = { seq: 2, bytes: new Uint8Array(), problem }
  const read = async (...args: Parameters<typeof store.read>): ReturnType<typeof store.read> => {
    const page = await store.read(...args)
    const isThere = page.events.some(({ seq }) => seq === 2)
    const events = page.events.filter(({ seq }) => seq !== 2)
    return { ...page, events, damaged: isThere ? [damaged] : [] }
  }
  const pages = createViewer({ store: { ...store, read }, name: 'x', options: {} })
  for (const as of ['md', 'html']) {
    const response = await pages(new Request(`http://127.0.0.1/export?id=c&as=${as}`))
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('event 2 cannot be read: the file was deleted.')
  }
})

test('if the rest of a file cannot be read, the pages and an export say why, and show no progress', async () => {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  await store.append('c', 0, TWO_TURNS)
  const problem = 'a<b.jsonl was deleted while it was read.'
  const sources = createSourceFeed({ extent: 'beginning', share: 0.4, warnings: [], problem })
  const pages = createViewer({ store, name: 'x', options: {}, sources })
  const read = async (path: string): Promise<Response> =>
    await pages(new Request(`http://127.0.0.1${path}`))
  for (const path of ['/', '/conversation?id=c', '/search?q=lamp', '/sources']) {
    const page = await (await read(path)).text()
    expect(page).toContain('a&lt;b.jsonl was deleted while it was read.')
    expect(page).not.toContain('being read')
  }
  const exported = await read('/export?id=c')
  expect([exported.status, await exported.text()]).toEqual([503, `${problem}\n`])
})
