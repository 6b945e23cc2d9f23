import { type ConversationEvent, openStore } from '@toolblocks/conversation-store'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { expect, onTestFinished, test } from 'vitest'
import { serveViewer } from './serve-viewer.ts'

interface Served {
  /** The text of a page below the path of the pages, to whoever is let in. */
  read(page: string): Promise<string>
  ask(page: string, init?: RequestInit): Promise<Response>
}

/** Serves the pages over a store with these conversations. */
async function serve(
  conversations: Readonly<Record<string, readonly ConversationEvent[]>>,
): Promise<Served & { append(id: string, event: ConversationEvent): Promise<unknown> }> {
  const store = await openStore('memory:')
  for (const [id, events] of Object.entries(conversations)) await store.append(id, 0, events)
  const view = await serveViewer({
    store,
    name: 'kept/lamps.db',
    options: {
      root: '/w',
      readers: await loadContentReaders(),
      forModel: ({ id }) => `for the model: ${id}`,
    },
  })
  onTestFinished(async () => {
    await view.close()
    await store.close()
  })
  const url = new URL(view.getUrl(''))
  const entered = await fetch(new URL('enter', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin },
    body: JSON.stringify({ token: url.hash.replace('#t=', '') }),
  })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const ask = async (page: string, init: RequestInit = {}): Promise<Response> =>
    await fetch(new URL(page, url), { ...init, headers: { cookie } })
  return {
    ask,
    read: async (page) => await (await ask(page)).text(),
    append: async (id, event) => {
      const { events } = await store.read(id, { limit: Infinity })
      return await store.append(id, events.length, [event])
    },
  }
}

const createMessage = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})
const call: ConversationEvent = {
  type: 'tool_call',
  call: { id: 'a', name: 'light', arguments: {} },
}
const result = (id: string, conversationId?: string): ConversationEvent => ({
  type: 'tool_result',
  result: {
    id,
    content: [
      {
        type: 'resource',
        resource: { uri: 'file:///w/sub/a.ts', mimeType: 'text/typescript', text: 'const a = 1' },
      },
    ],
    isError: false,
    ...(conversationId !== undefined && {
      metadata: { outcome: 'completed' as const, conversationId },
    }),
  },
})

test('a page shows the title and id of its conversation, and all of it with the paths of its workspace', async () => {
  const { read } = await serve({
    lamps: [createMessage('Light it.'), call, result('a'), createMessage('More.')],
  })
  const page = await read('conversation?id=lamps')
  expect(page).toContain('<title>Light it.</title>')
  expect(page).toContain('<h1>Light it.</h1>')
  expect(page).toContain('<span>lamps</span>')
  expect(page).toContain('<span id="tb-count">4</span>')
  expect(page).toContain('data-statistics="whole"')
  expect(page).toContain('data-from="1"')
  expect(page).toMatch(/<p class="tb-facts" id="tb-totals">about \d+ tokens</)
  expect(page).not.toContain('for the model: a')
  expect(page).toContain('<details><summary><span class="tb-line-of"><span class="tb-outcome')
  const model = await read('conversation?id=lamps&model-view')
  expect(model).toContain('for the model: a')
  // What the model received is read without a click on each call.
  expect(model).toContain('<details open><summary><span class="tb-line-of"><span class="tb-outcome')
  expect(model).toContain('data-query="id=lamps&amp;model-view="')
  expect(await read('events?id=lamps&model-view=&from=1')).toContain('for the model: a')
  expect(page).toContain('sub/a.ts')
  expect(page).not.toContain('/w/sub/a.ts')
  // What colours code is loaded by whoever serves.
  expect(page).toMatch(/<span class="tb-code-keyword">const<\/span>/)
  expect(page).toContain('href="conversation?id=lamps&amp;at=4#e4"')
  expect(await read('events?id=lamps&from=1')).toContain('href="conversation?id=lamps&amp;at=2#e2"')
  const turns =
    '<li value="2"><a href="conversation?id=lamps&amp;at=4#e4" data-seq="4">More.</a></li>'
  expect(page).toContain(turns)
  expect(await read('outline?id=lamps')).toContain(turns)
})

test('the conversation of an agent is shown like the one around it, with its own address', async () => {
  const { read } = await serve({
    whole: [call, result('a', 'inner')],
    inner: [createMessage('Inner words.'), call, result('b')],
  })
  const page = await read('conversation?id=whole&model-view')
  const [, led = ''] = /<details class="tb-led">([^]*)<\/details>/.exec(page) ?? []
  expect(led).toContain('Inner words.')
  expect(led).toContain('href="conversation?id=inner"')
  expect(led).toContain('for the model: b')
  expect(led).toContain('sub/a.ts')
  expect(led).not.toContain('/w/sub/a.ts')
})

test('of a long conversation the requested part is shown, with links to the others', async () => {
  const events = Array.from({ length: 230 }, (_, index) => createMessage(`Word ${index + 1}.`))
  const { read } = await serve({ long: [...events, { type: 'rewind', to: 150 }] })
  const first = await read('conversation?id=long')
  expect(first).toContain('<pre>Word 100.')
  expect(first).not.toContain('<pre>Word 101.')
  expect(first).not.toContain('rel="prev"')
  expect(first).toContain('rel="next"')
  expect(first).toContain('data-last="231"')
  expect(first).toContain('data-rewinds="1"')
  const middle = await read('conversation?id=long&at=120')
  expect(middle).toContain('data-from="101"')
  expect(middle).toContain('<pre>Word 101.')
  expect(middle).toContain('at=100#e100')
  expect(middle.match(/undone by #231/g)).toHaveLength(50)
  const more = await read('events?id=long&from=205')
  expect(more).toContain('Word 201.')
  expect(await read('conversation?id=long&at=999')).toContain('<pre>Word 230.')
  expect(await read('conversation?id=long&at=0')).toContain('Word 1.')
  expect(await read('events?id=long')).toContain('Word 1.')
})

test('lists name their store and have a next page; the search text stays in its field, and a hundred hits are shown', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`talk-${index}`, [createMessage('a lamp')]]),
  )
  const { read } = await serve({
    ...many,
    words: Array.from({ length: 130 }, () => createMessage('lanterns & lamps')),
  })
  const first = await read('')
  expect(first).toContain('kept/lamps.db')
  const [, next = ''] = /rel="next" href="\.\/(\?cursor=[^"]+)"/.exec(first) ?? []
  const second = await read(next.replaceAll('&amp;', '&'))
  const getIds = (page: string): string[] =>
    [...page.matchAll(/conversation\?id=([\w-]+)"/g)].map(([, id = '']) => id)
  expect(new Set([...getIds(first), ...getIds(second)]).size).toBe(61)
  expect(getIds(second).some((id) => getIds(first).includes(id))).toBe(false)
  const page = await read('search?q=lanterns')
  expect(page).toContain('value="lanterns"')
  expect(page).toContain('100 events with lanterns')
  expect(await read('search')).toContain('value=""')
})

test('a client that follows a conversation receives the events after the one it knows, until it leaves', async () => {
  const { ask, append } = await serve({ lamps: [createMessage('One.'), createMessage('Two.')] })
  const follow = async (
    address: string,
    signal: AbortSignal,
  ): Promise<{ readTo: (seq: number) => Promise<string>; cancel: () => Promise<void> }> => {
    const answer = await ask(address, { signal })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    return {
      // Other messages of the stream are about questions.
      readTo: async (seq) => {
        while (!text.includes(`data: ${seq}\n\n`)) text += (await reader.read()).value ?? ''
        return text.replaceAll(/event: questions\ndata: .*\n\n/g, '')
      },
      cancel: async () => await reader.cancel(),
    }
  }
  const leaving = new AbortController()
  const known = await follow('follow?id=lamps&after=1', leaving.signal)
  expect(await known.readTo(2)).toBe('data: 2\n\n')
  await append('lamps', createMessage('Three.'))
  expect(await known.readTo(3)).toBe('data: 2\n\ndata: 3\n\n')
  leaving.abort()
  const whole = await follow('follow?id=lamps', AbortSignal.timeout(20_000))
  // Of the events that exist, only the last number matters: the client requests them itself.
  expect(await whole.readTo(3)).toBe('data: 3\n\n')
  await whole.cancel()
})

test('a call and its result are one card, also in two parts of the page; the other part links to it', async () => {
  const between = Array.from({ length: 60 }, (_, index) => createMessage(`Word ${index}.`))
  const { read } = await serve({ long: [...between, call, ...between, result('a')] })
  const first = await read('events?id=long&from=1')
  expect(first).toMatch(/<article id="e61" class="tb-event tb-call"[^]*sub\/a\.ts/)
  expect(first).not.toContain('id="e122"')
  const second = await read('events?id=long&from=101')
  expect(second).toContain('<span id="e122" class="tb-place" data-card="61"></span>')
  expect(second).not.toContain('sub/a.ts')
})

test('the omitted part of a long result can be opened completely', async () => {
  const text = Array.from({ length: 900 }, (_, index) => `line ${index + 1}`).join('\n')
  const long: ConversationEvent = {
    type: 'tool_result',
    result: { id: 'a', content: [{ type: 'text', text }], isError: false },
  }
  const { read, ask } = await serve({ lamps: [call, long] })
  const page = await read('conversation?id=lamps')
  expect(page).toContain('line 400')
  expect(page).not.toContain('line 401')
  expect(page).toContain('<a href="event?id=lamps&amp;at=2">The complete result</a>')
  const whole = await read('event?id=lamps&at=2')
  expect(whole).toContain('line 900')
  expect(whole).toContain('href="conversation?id=lamps&amp;at=2#e2"')
  expect((await ask('event?id=lamps&at=3')).status).toBe(404)
})

test('a file is not followed, and an imported conversation does not show what its model would receive', async () => {
  const { read } = await serve({ 'claude-code-1': [createMessage('Light it.'), call, result('a')] })
  const page = await read('conversation?id=claude-code-1&model-view')
  expect(page).toContain('<span>claude-code</span>')
  expect(page).not.toMatch(/model would receive|for the model/)
})

test('models and tokens are shown as the file has them; a model that responds again is not named again', async () => {
  const answer = (text: string, model: string): ConversationEvent => ({
    type: 'assistant_message',
    content: [{ type: 'text', text }],
    model,
    usage: { inputTokens: 1200, cachedInputTokens: 1000, outputTokens: 30 },
  })
  const { read } = await serve({
    lamps: [
      createMessage('Light it.'),
      answer('Lit.', 'm-1'),
      answer('Yes.', 'm-1'),
      answer('No.', 'm-2'),
    ],
  })
  const page = await read('conversation?id=lamps')
  expect(
    page.match(/<p class="tb-who">Model <span class="tb-facts">m-[12]<\/span><\/p>/g),
  ).toHaveLength(2)
  expect(
    page.match(/title="1,200 tokens in \(1,000 cached\), 30 out">1\.2k in · 30 out</g),
  ).toHaveLength(3)
  expect(page).toContain(
    'id="tb-totals">m-1: 2,400 tokens in (2,000 cached), 60 out · m-2: 1,200 tokens in (1,000 cached), 30 out<',
  )
})

test('an approval names its call', async () => {
  const approval: ConversationEvent = {
    type: 'approval',
    callId: 'a',
    decision: 'denied',
    by: 'user',
    reason: 'Not now.',
  }
  const { read } = await serve({ lamps: [call, approval] })
  const page = await read('conversation?id=lamps')
  expect(page).toContain(
    '<strong>denied</strong> to run light <span class="tb-facts">by a person</span>',
  )
  expect(page).toContain('<span class="tb-fact">denied by a person</span>')
  expect(page).toContain('Not now.')
})
