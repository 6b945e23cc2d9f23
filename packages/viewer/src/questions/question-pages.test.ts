import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { readPendingQuestion, settlePendingQuestion } from '@toolblocks/inquiry/pending'
import { expect, onTestFinished, test } from 'vitest'
import { createViewer, type ViewerOptions } from '../create-viewer.ts'
import { park } from '../pending.support.ts'

const NEXT = 'Continue with: toolblocks run --resume it'
const ANSWERS = { describeNext: async () => NEXT }

/** Pages without a guard. */
async function open(more: Partial<ViewerOptions> = { answers: ANSWERS }): Promise<{
  store: ConversationStore
  read: (address: string) => Promise<{ status: number; text: string }>
  send: (fields: Readonly<Record<string, string>>) => Promise<{ status: number; text: string }>
}> {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const pages = createViewer({ store, name: 'memory', options: {}, ...more })
  const ask = async (
    address: string,
    init?: RequestInit,
  ): Promise<{ status: number; text: string }> => {
    const answer = await pages(new Request(`http://127.0.0.1/${address}`, init))
    const location = answer.headers.get('location')
    if (location !== null) return await ask(location)
    return { status: answer.status, text: await answer.text() }
  }
  return {
    store,
    read: ask,
    send: async (fields) =>
      await ask('answer', { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

test('the page of a question shows everything that its answer depends on, and no part is cut or folded', async () => {
  const { store, read } = await open()
  const value = {
    list: Array.from({ length: 300 }, (_, index) => index),
    deep: { a: { b: { c: 'in' } } },
  }
  const { id } = await park(store, {
    values: { path: 'a.txt', value },
    agents: ['outer', 'inner'],
    server: 'harbor',
    blocks: [{ type: 'text', text: `${'boat\n'.repeat(900)}last boat` }],
    after: [{ type: 'text', text: 'Behind the question.' }],
    request: { text: 'Really?\nAll of them?' },
    expireMs: 60_000,
  })
  const { text } = await read(`question?id=${id}`)
  for (const part of [
    'a.txt',
    '299',
    '&quot;c&quot;',
    'outer → inner',
    'harbor',
    'last boat',
    'Behind the question.',
    'All of them?',
    'expires in less than 1 min',
    'Use sweep.',
    'conversation?id=of-sweep',
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/<details(?! open)|… |tb-high-40/)
})

test('what is asked and the answer come before technical facts, after the tool, its caller and its arguments', async () => {
  const { store, read } = await open()
  for (const kind of ['question', 'approval'] as const) {
    const { id } = await park(store, {
      kind,
      tool: `book-${kind}`,
      values: { boat: 'Seagull' },
      server: 'harbor',
      client: { name: 'chat' },
      blocks: [{ type: 'text', text: 'Four are free.' }],
      request: { text: 'Which berth?', schema: { enum: ['A1', 'B4'] } },
    })
    const { text } = await read(`question?id=${id}`)
    const [, page = ''] = text.split('<main')
    const parts = [
      'harbor',
      'chat',
      'Seagull',
      'Four are free.',
      'action="answer"',
      '>Id<',
      '>Asked<',
    ]
    const positions = parts.map((part) => page.indexOf(part))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  }
})

test('the text of a question that is the label of its only field stands once, and any other text above the fields', async () => {
  const { store, read } = await open()
  const both = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
  const count = async (text: string, more: Partial<Parameters<typeof park>[1]> = {}) => {
    const { id } = await park(store, { tool: `t${text.length}`, request: { text }, ...more })
    return (await read(`question?id=${id}`)).text.split(/Which/).length - 1
  }
  expect(await count('Which?')).toBe(1)
  expect(await count('Which fields?', { request: { text: 'Which fields?', schema: both } })).toBe(1)
  expect(await count('Which of\nthese?')).toBe(2)
  expect(await count('Which way?', { after: [{ type: 'text', text: 'Or none.' }] })).toBe(2)
  const readOnly = await open({})
  const { id } = await park(readOnly.store, { request: { text: 'Which?' } })
  expect((await readOnly.read(`question?id=${id}`)).text).toContain('Which?')
})

test('questions are listed with the oldest first, on request with those that were settled', async () => {
  const { store, read } = await open()
  const [first, , third] = [
    await park(store, { tool: 'one' }),
    await park(store, { tool: 'two' }),
    await park(store, { tool: 'three', expireMs: 0 }),
  ]
  await settlePendingQuestion(
    first.id,
    { state: 'withdrawn', by: 'command', reason: 'a person withdrew it' },
    { storage: store.documents },
  )
  const names = (text: string): readonly string[] =>
    [...text.matchAll(/>(\w+) asks:/g)].map(([, name = '']) => name)
  const { text } = await read('questions')
  expect(names(text)).toEqual(['two'])
  expect(text).toContain('Questions<span id="tb-open"> (1)')
  const all = (await read('questions?all')).text
  expect(names(all)).toEqual(['one', 'two', 'three'])
  expect(all).toContain(
    'Withdrawn by a &quot;toolblocks questions&quot; command: a person withdrew it.',
  )
  expect(all).toContain('The question has expired: no answer came in time.')
  expect(all).not.toMatch(/Declined|Denied/)
  expect(names((await read('')).text)).toEqual(['two'])
  expect((await read(`question?id=${third.id}`)).text).not.toContain('<form class="tb-form"')
})

test('of two answers at the same time one counts, and the other person is told which', async () => {
  const { store, send } = await open()
  const { id } = await park(store)
  const sent = await Promise.all(['0', '1'].map((f0) => send({ id, action: 'accept', f0 })))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const settled = await readPendingQuestion(id, { storage: store.documents })
  const sentence = `Answered on a page: ${JSON.stringify(settled?.settled?.value)}.`
  for (const { text } of sent) expect(text).toContain(sentence)
  expect(sent.find(({ status }) => status === 409)?.text).toContain('Your answer does not count.')
})

test('an answer that is sent again changes nothing', async () => {
  const { store, send } = await open()
  const { id } = await park(store)
  expect((await send({ id, action: 'accept', f0: '0' })).text).toContain(NEXT)
  const before = await store.documents.read('question', id)
  expect((await send({ id, action: 'accept', f0: '0' })).status).toBe(409)
  expect((await send({ id, action: 'decline' })).status).toBe(409)
  expect((await send({ id, action: 'accept', f0: 'x' })).status).toBe(409)
  expect(await store.documents.read('question', id)).toEqual(before)
})

test.for<[string, Readonly<Record<string, string>>]>([
  ['an answer', { action: 'accept', f0: '{"a":[1],"b":null}' }],
  ['a denial', { action: 'decline' }],
  ['a denial with a reason', { action: 'decline', reason: 'not today' }],
])('%s that a double click sends twice counts, and the page says so', async ([, fields]) => {
  const { store, send } = await open()
  const { id } = await park(store, { request: { schema: {} } })
  const { text } = await send({ id, ...fields })
  expect((await send({ id, ...fields })).text).toBe(text)
  for (const other of [
    { action: 'accept', f0: '1' },
    { action: 'decline', reason: 'never' },
  ])
    expect((await send({ id, ...other })).text).toContain('Your answer does not count.')
})

test.for([
  ['expired', { expireMs: 0 }, 'The question has expired: no answer came in time.'],
  ['local', { isLocal: true }, 'asked only where its call runs, because the answer is a secret'],
  [
    'page to visit',
    { isLocal: true, request: { url: 'https://pay.example/' } },
    'asked only where its call runs, because it is a page to visit',
  ],
] as const)('an answer to a question that is %s does not count', async ([, asked, reason]) => {
  const { store, send, read } = await open()
  const { id } = await park(store, asked)
  const page = await read(`question?id=${id}`)
  expect(page.text).toContain(reason)
  expect(page.text).not.toContain('<form class="tb-form"')
  const before = await store.documents.read('question', id)
  for (const f0 of ['0', 'x']) {
    const { status, text } = await send({ id, action: 'accept', f0 })
    expect(status).toBe(409)
    expect(text).toContain('Your answer does not count.')
    expect(text).toContain(reason)
  }
  expect(await store.documents.read('question', id)).toEqual(before)
})

test('the page of a form shows neither its schema nor the id of its question; one that takes JSON says what it must be', async () => {
  const { store, read } = await open()
  const properties = { boats: { type: 'integer' } }
  const form = { id: 'elicitation', schema: { type: 'object', properties } }
  const { id } = await park(store, { tool: 'form', request: form })
  const page = (await read(`question?id=${id}`)).text
  expect(page).toContain('boats')
  expect(page).not.toMatch(/elicitation|&quot;properties&quot;/)
  const json = await park(store, { tool: 'json', request: { schema: {} } })
  expect((await read(`question?id=${json.id}`)).text).toContain('What the JSON must be')
})

test('an answer that only the schema as a whole refuses is shown with the problem', async () => {
  const { store, send } = await open()
  const schema = {
    type: 'object',
    properties: { from: { type: 'integer' }, to: { type: 'integer' } },
    anyOf: [{ properties: { from: { const: 1 } } }, { properties: { to: { const: 9 } } }],
  }
  const { id } = await park(store, { request: { schema } })
  const { status, text } = await send({ id, action: 'accept', f0: '2', f1: '3' })
  expect(status).toBe(422)
  expect(text).toContain('This is not a valid answer yet.')
  expect(text).toContain('value="3"')
  expect((await send({ id, action: 'accept', f0: '1', f1: '3' })).status).toBe(200)
})

test('an approval names its server and its client, encoded and at most 80 characters long', async () => {
  const { store, read } = await open()
  const client = { name: `<b>Host</b>\u001B${'x'.repeat(500)}`, version: '1' }
  const { id } = await park(store, { kind: 'approval', server: 'harbor', client })
  const name = `&lt;b&gt;Host&lt;/b&gt;`
  for (const address of [`question?id=${id}`, 'questions']) {
    const { text } = await read(address)
    expect(text).toContain(name)
    expect(text).toContain('harbor')
    expect(text).not.toContain('x'.repeat(80))
    expect(text).not.toContain('\u001B')
  }
})

test('an approval is allowed or denied, with the reason that the model reads', async () => {
  const { store, send } = await open()
  const [one, other] = [
    await park(store, { tool: 'one', kind: 'approval' }),
    await park(store, { tool: 'other', kind: 'approval' }),
  ]
  expect((await send({ id: one.id, action: 'accept' })).text).toContain('Allowed on a page.')
  const denied = await send({ id: other.id, action: 'decline', reason: ' not <b>now ' })
  expect(denied.text).toContain('Denied on a page: not &lt;b&gt;now.')
  const read = async (id: string): Promise<unknown> =>
    await readPendingQuestion(id, { storage: store.documents })
  expect(await read(one.id)).toMatchObject({ state: 'answered', settled: { value: true } })
  expect(await read(other.id)).toMatchObject({
    state: 'declined',
    settled: { by: 'page', reason: 'not <b>now' },
  })
})

test('after its call has a result, the page of an answer does not say how to continue', async () => {
  const { store, send, read } = await open()
  const { id, call } = await park(store)
  expect((await send({ id, action: 'accept', f0: '0' })).text).toContain(NEXT)
  await store.append('of-sweep', 4, [
    { type: 'answer', id: `${call.id}.sure.1`, callId: call.id, action: 'accept', value: true },
    { type: 'tool_result', result: { id: call.id, content: [], isError: false } },
  ])
  const { text } = await read(`question?id=${id}`)
  expect(text).not.toContain(NEXT)
  expect(text).toContain('The call has continued.')
})

test('the page of a denied call says that the call was not run', async () => {
  const { store, send, read } = await open()
  const { id, call } = await park(store, { kind: 'approval' })
  await send({ id, action: 'decline', reason: '' })
  await store.append('of-sweep', 3, [
    { type: 'tool_result', result: { id: call.id, content: [], isError: true } },
  ])
  const { text } = await read(`question?id=${id}`)
  expect(text).toContain('The call was not run. The conversation has continued.')
  expect(text).not.toContain('The call has continued.')
})

test('without answers the pages are read-only, and say how to answer', async () => {
  const { store, read, send } = await open({})
  const { id } = await park(store)
  const { text } = await read(`question?id=${id}`)
  expect(text).toContain(`toolblocks questions answer ${id}`)
  expect(text).not.toContain('<form class="tb-form"')
  expect((await send({ id, action: 'accept', f0: '0' })).status).toBe(404)
  expect(await readPendingQuestion(id, { storage: store.documents })).toMatchObject({
    state: 'open',
  })
})

test('pages of a file have no questions', async () => {
  const { read } = await open({ growth: 'files' })
  expect((await read('questions')).status).toBe(404)
  expect((await read('')).text).not.toContain('href="questions"')
})

test('an unknown question, and a form without a decision, are refused', async () => {
  const { store, read, send } = await open()
  const { id } = await park(store)
  expect((await read('question?id=none')).status).toBe(404)
  expect((await send({ id: 'none', action: 'accept' })).status).toBe(404)
  expect((await send({ id })).status).toBe(422)
  expect((await send({ id, action: 'accept', f0: '17' })).text).toContain('choose one')
  expect((await store.documents.read('question', id))?.version).toBe(1)
})

test('a parked call waits in its conversation and in the exports, until a host has continued it', async () => {
  const { store, read } = await open()
  const { id, call } = await park(store, { kind: 'approval', expireMs: 3_600_000 })
  const waiting = (await read('conversation?id=of-sweep')).text
  expect(waiting).toContain('aria-label="waits"')
  expect(waiting).toContain(`question?id=${id}`)
  expect(waiting).toContain('expires')
  for (const as of ['html', 'markdown']) {
    const { text } = await read(`export?id=of-sweep&as=${as}`)
    expect(text).toContain(`waits for approval: ${id}`)
    expect(text).not.toContain('interrupted')
  }
  await settlePendingQuestion(
    id,
    { state: 'answered', value: true, by: 'terminal' },
    { storage: store.documents },
  )
  const allowed = (await read('conversation?id=of-sweep')).text
  expect(allowed).toContain('waits for a host to continue')
  expect(allowed).toContain('Allowed at a terminal with')
  await store.append('of-sweep', 3, [
    { type: 'approval', callId: call.id, decision: 'allowed', by: 'user' },
  ])
  const interrupted = (await read('conversation?id=of-sweep')).text
  expect(interrupted).toContain('aria-label="no result yet"')
})

test.for([
  ['approval', 'Decide'],
  ['question', 'Answer'],
] as const)(
  'in a conversation, a call that waits for an %s leads to its page if that takes an answer',
  async ([kind, name]) => {
    const { store, read } = await open()
    const { id } = await park(store, { kind })
    const link = `<a class="tb-main" href="question?id=${id}">${name}</a>`
    const command = `toolblocks questions answer ${id}`
    const answering = (await read('conversation?id=of-sweep')).text
    expect(answering).toContain(link)
    expect(answering).not.toContain(command)
    const reading = createViewer({ store, name: 'memory', options: {} })
    const page = await reading(new Request('http://127.0.0.1/conversation?id=of-sweep'))
    const text = await page.text()
    expect(text).toContain(command)
    expect(text).not.toContain(link)
  },
)

test('a person answers what she may, under her name, and other questions have no form', async () => {
  const { store, read, send } = await open({
    account: { name: 'Ann <b>', signOut: '/sign-out?a="' },
    answers: {
      ...ANSWERS,
      by: 'page:Ann <b>',
      mayAnswer: async ({ conversation }) => conversation === 'of-hers',
    },
  })
  const hers = await park(store, { kind: 'approval', tool: 'hers' })
  const other = await park(store, { kind: 'approval', tool: 'other' })
  expect((await read(`question?id=${hers.id}`)).text).toContain('Allow this call')
  const { text } = await read(`question?id=${other.id}`)
  expect(text).toContain('You may not answer this question.')
  expect(text).not.toContain('Allow this call')
  expect((await send({ id: other.id, action: 'accept' })).status).toBe(403)
  expect(await readPendingQuestion(other.id, { storage: store.documents })).toMatchObject({
    state: 'open',
  })
  const answered = await send({ id: hers.id, action: 'accept' })
  expect(answered.text).toContain('Allowed on a page by Ann &lt;b&gt;.')
  for (const address of [
    '',
    'questions',
    'use',
    'search?q=a',
    'conversation?id=of-hers',
    'question?id=x',
  ])
    expect((await read(address)).text).toContain(
      '<a class="tb-account" href="/sign-out?a=&quot;">Sign out <span class="tb-facts">Ann &lt;b&gt;</span></a>',
    )
})

test('pages of several people on which this one answers nothing say so', async () => {
  const { store, read } = await open({ account: { name: 'Ann', signOut: '/sign-out' } })
  const { id } = await park(store, { kind: 'approval' })
  const { text } = await read(`question?id=${id}`)
  expect(text).toContain('You may not answer this question.')
  expect(text).not.toContain('toolblocks')
})
