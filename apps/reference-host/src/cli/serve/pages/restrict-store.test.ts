import {
  type ConversationEvent,
  type ConversationStore,
  describeConversation,
  openStore,
} from '@toolblocks/conversation-store'
import {
  answerPendingQuestion,
  listPendingQuestions,
  openPendingQuestion,
  type PendingQuestion,
  readPendingQuestion,
} from '@toolblocks/inquiry/pending'
import type { JsonObject } from '@toolblocks/protocol'
import { createViewer } from '@toolblocks/viewer'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listAddresses } from './conversation-addresses.support.ts'
import { readOwners } from './conversation-owners.ts'
import type { ReadingRights } from '../clients/client-rights.ts'
import { restrictStore } from './restrict-store.ts'

const ANN = 'id-of-ann'
const BEN = 'id-of-ben'
const OWN: ReadingRights = { reads: 'own', answers: 'own' }

const servedTo = (id: string): JsonObject => ({
  command: 'serve',
  folder: '/w',
  identity: { id, name: id },
})
const began = (values: JsonObject): ConversationEvent => ({ type: 'configuration', values })
const say = (text: string): ConversationEvent => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})

async function ask(store: ConversationStore, conversation: string): Promise<PendingQuestion> {
  return await openPendingQuestion(
    {
      kind: 'question',
      call: { id: 'c', name: `tool-${conversation}`, arguments: {} },
      conversation,
      turn: 1,
      request: { id: 'sure', text: `mark of ${conversation}?`, schema: { type: 'boolean' } },
      blocks: [],
      isLocal: false,
      isRepeatable: true,
      definition: 'one',
      host: 'h',
    },
    { storage: store.documents },
  )
}

/** Conversations of two people, of agents that they have started, and of others, each with the word "mark" and a question. */
const CONVERSATIONS: Readonly<Record<string, readonly ConversationEvent[]>> = {
  'ann-1': [began(servedTo(ANN)), say('mark annone')],
  'ben-1': [began(servedTo(BEN)), say('mark benone')],
  'agent-of-ann': [
    began({ parent: { conversationId: 'ann-1', callId: 'x' } }),
    say('mark annagent'),
  ],
  'inner-of-ann': [began({ parent: { conversationId: 'agent-of-ann' } }), say('mark anninner')],
  'agent-of-ben': [began({ parent: { conversationId: 'ben-1' } }), say('mark benagent')],
  'ann-2': [began(servedTo(ANN)), say('mark anntwo')],
  'by-chat': [began({ command: 'chat', folder: '/w' }), say('mark chat')],
  'by-token': [began({ command: 'serve', folder: '/w' }), say('mark token')],
  'says-so': [say('mark says'), began(servedTo(ANN))],
  imported: [
    began({ about: { title: 'x' }, identity: { id: ANN, name: 'x' } }),
    say('mark import'),
  ],
  round: [began({ parent: { conversationId: 'round' } }), say('mark round')],
  orphan: [began({ parent: { conversationId: 'nowhere' } }), say('mark orphan')],
}
const ANNS = ['ann-2', 'inner-of-ann', 'agent-of-ann', 'ann-1']

async function open(): Promise<{
  store: ConversationStore
  questions: Readonly<Record<string, PendingQuestion>>
  as(id: string, rights?: ReadingRights): ConversationStore
}> {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const questions: Record<string, PendingQuestion> = {}
  for (const [id, events] of Object.entries(CONVERSATIONS)) {
    await store.append(id, 0, events)
    questions[id] = await ask(store, id)
  }
  const owners = readOwners(store)
  return {
    store,
    questions,
    as: (id, rights = OWN) => restrictStore(store, owners, { id, ...rights }),
  }
}

const listIds = async (store: ConversationStore, limit = Infinity): Promise<readonly string[]> =>
  (await store.list({ limit })).conversations.map(({ id }) => id)

test('a person lists, reads, searches and describes her conversations, and those of agents that were started in them', async () => {
  const { store, as } = await open()
  const ann = as(ANN)
  expect(await listIds(ann)).toEqual(ANNS)
  expect(await listIds(as(BEN))).toEqual(['agent-of-ben', 'ben-1'])
  expect(await listIds(as('somebody'))).toEqual([])
  for (const id of Object.keys(CONVERSATIONS)) {
    const isOwn = ANNS.includes(id)
    const nothing = { events: [], damaged: [], more: false }
    expect(await ann.read(id)).toEqual(isOwn ? await store.read(id) : nothing)
    expect(await describeConversation(ann, id)).toEqual(
      isOwn ? await describeConversation(store, id) : {},
    )
    const hits = await ann.search({ text: 'mark', conversation: id })
    expect(hits.map((hit) => hit.conversation)).toEqual(isOwn ? [id] : [])
  }
  const hits = await ann.search({ text: 'mark' })
  expect(hits.map(({ conversation }) => conversation)).toEqual(ANNS)
  expect(await ann.search({ text: 'mark', limit: 2 })).toHaveLength(2)
  expect(await ann.search({ text: 'benone' })).toEqual([])
  expect(await as('somebody').search({ text: 'mark' })).toEqual([])
})

test('pages of a list, and their cursors, contain only her own conversations', async () => {
  const { store, as } = await open()
  const ann = as(ANN)
  const first = await ann.list({ limit: 1 })
  expect(first.conversations.map(({ id }) => id)).toEqual(['ann-2'])
  const second = await ann.list({ limit: 2, cursor: first.next ?? '' })
  expect(second.conversations.map(({ id }) => id)).toEqual(['inner-of-ann', 'agent-of-ann'])
  const third = await ann.list({ cursor: second.next ?? '' })
  expect(third).toEqual({ conversations: [expect.objectContaining({ id: 'ann-1' })] })
  for (const cursor of ['', 'x', '12', first.next?.slice(2) ?? '', 'bnVsbA'])
    await expect(ann.list({ cursor })).rejects.toMatchObject({ code: 'invalid-cursor' })
  // Its cursor names a conversation of nobody else.
  const other = Buffer.from(JSON.stringify({ id: 'ben-1', updatedAt: '9' })).toString('base64url')
  expect(await ann.list({ cursor: other })).toEqual(await ann.list())
  await store.append('ann-2', 2, [say('later')])
  const moved = await ann.list({ limit: 1, cursor: first.next ?? '' })
  expect(moved.conversations.length).toBeLessThanOrEqual(1)
})

test('a conversation that begins later is seen at once, also that of an agent whose beginning is written first', async () => {
  const { store, as } = await open()
  const ann = as(ANN)
  await store.append('early-agent', 0, [began({ parent: { conversationId: 'late' } })])
  expect(await listIds(ann)).toEqual(ANNS)
  await store.append('late', 0, [began(servedTo(ANN))])
  expect(await listIds(ann)).toEqual(['late', 'early-agent', ...ANNS])
  await store.delete('late')
  await store.append('late', 0, [began(servedTo(BEN)), say('mark benlate')])
  expect(await listIds(ann)).not.toContain('late')
  expect((await ann.read('late')).events).toEqual([])
  expect((await ann.read('early-agent')).events).toEqual([])
})

test('what others do is not followed, and a conversation that begins again for another person ends', async () => {
  const { store, as } = await open()
  const ann = as(ANN)
  const ending = new AbortController()
  const seen: string[] = []
  const follow = async (id: string): Promise<void> => {
    for await (const event of ann.follow(id, { signal: ending.signal }))
      seen.push(`${id} ${event.seq} ${JSON.stringify(event)}`)
  }
  const both = Promise.all([follow('ben-1'), follow('ann-1'), follow('nowhere')])
  await expect.poll(() => seen.length).toBe(2)
  await store.append('ben-1', 2, [say('more of ben')])
  await store.append('ann-1', 2, [say('more of ann')])
  await expect.poll(() => seen.length).toBe(3)
  await store.delete('ann-1')
  await store.append('ann-1', 0, [began(servedTo(BEN)), say('again of ben')])
  await store.append('nowhere', 0, [began(servedTo(BEN)), say('new of ben')])
  await store.append('ann-1', 2, [say('still of ben')])
  // Another follower has seen it all, and this one has had its turn.
  for await (const { seq } of store.follow('ann-1')) if (seq === 3) break
  await setImmediate()
  ending.abort()
  await both
  expect(seen.join('\n')).toContain('more of ann')
  expect(seen.join('\n')).not.toContain('of ben')
  expect(seen).toHaveLength(3)
})

test('questions are read, listed and answered by the person who may', async () => {
  const { store, questions, as } = await open()
  const list = async (reader: ConversationStore): Promise<readonly string[]> =>
    (await listPendingQuestions({ state: 'open' }, { storage: reader.documents })).questions
      .map(({ conversation }) => conversation)
      .toSorted()
  const everyone = Object.keys(CONVERSATIONS).toSorted()
  expect(await list(as(ANN))).toEqual(ANNS.toSorted())
  expect(await list(as(ANN, { reads: 'all', answers: 'own' }))).toEqual(everyone)
  expect(await list(as(ANN, { reads: 'own', answers: 'all' }))).toEqual(everyone)
  expect(await list(as(ANN, { reads: 'own', answers: 'none' }))).toEqual(ANNS.toSorted())

  const getQuestion = (id: string): PendingQuestion => questions[id] as PendingQuestion
  const answer = async (reader: ConversationStore, id: string): Promise<unknown> =>
    await answerPendingQuestion(
      getQuestion(id),
      { answer: { action: 'accept', value: true }, by: 'page' },
      { storage: reader.documents },
    ).catch(({ code }: { code: string }) => code)
  expect(await answer(as(ANN), 'ben-1')).toEqual({ ok: false, why: 'unknown' })
  expect(await answer(as(ANN, { reads: 'all', answers: 'own' }), 'ben-1')).toBe('read-only')
  expect(await answer(as(ANN, { reads: 'all', answers: 'none' }), 'ann-1')).toBe('read-only')
  expect(await answer(as(ANN, { reads: 'own', answers: 'none' }), 'ann-1')).toBe('read-only')
  const pending = { storage: store.documents }
  for (const id of ['ben-1', 'ann-1'])
    expect(await readPendingQuestion(getQuestion(id).id, pending)).toMatchObject({ state: 'open' })
  expect(await answer(as(ANN), 'agent-of-ann')).toMatchObject({ ok: true })
  expect(await answer(as(ANN, { reads: 'own', answers: 'all' }), 'ben-1')).toMatchObject({
    ok: true,
  })

  // No other document is read or written, also not by those who may read all.
  await store.documents.write({
    collection: 'serve-key',
    id: 'current',
    version: 0,
    state: 'x',
    value: { key: 'k' },
  })
  const all = as(ANN, { reads: 'all', answers: 'all' })
  expect(await all.documents.read('serve-key', 'current')).toBeUndefined()
  expect(await all.documents.list('serve-key')).toEqual({ documents: [], damaged: [] })
  const write = { collection: 'serve-key', id: 'current', version: 1, state: 'x', value: 1 }
  await expect(all.documents.write(write)).rejects.toMatchObject({ code: 'read-only' })
  const { id, conversation } = getQuestion('ann-1')
  await expect(all.documents.remove('question', id, 1)).rejects.toMatchObject({ code: 'read-only' })
  // A question stays in its conversation.
  const moved = { collection: 'question', id, version: 1, state: 'open', conversation: 'ben-1' }
  await expect(as(ANN).documents.write({ ...moved, value: 1 })).rejects.toMatchObject({
    code: 'read-only',
  })
  await expect(
    as(ANN).documents.write({ ...moved, id: 'new', version: 0, conversation, value: 1 }),
  ).rejects.toMatchObject({ code: 'read-only' })
})

test('nothing is written, and bytes are read only by those who may read all', async () => {
  const { store, as } = await open()
  const { sha256 } = await store.keepBytes(new TextEncoder().encode('mark bytes'))
  expect(await as(ANN).readBytes(sha256)).toBeUndefined()
  const all = as(ANN, { reads: 'all', answers: 'all' })
  expect(await all.readBytes(sha256)).toBeDefined()
  expect(await listIds(all)).toEqual(await listIds(store))
  for (const reader of [as(ANN), all]) {
    const attempts = [
      reader.append('ann-1', 2, [say('x')]),
      reader.delete('ann-1'),
      reader.scrub({ secret: 'mark annone' }),
      reader.keepBytes(new Uint8Array(1)),
      reader.collectBytes(),
    ]
    for (const attempt of attempts)
      await expect(attempt).rejects.toMatchObject({ code: 'read-only' })
    await reader.close()
  }
  expect(await store.read('ann-1')).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }] })
})

test('every address of the pages answers about the conversations and questions of others as about ones that do not exist', async () => {
  const { store, questions, as } = await open()
  const everywhere = createViewer({
    store: as(ANN),
    name: 'ours',
    options: {},
    answers: { describeNext: async () => 'next' },
  })
  const request = async (address: string, init: RequestInit = {}): Promise<string> => {
    const response = await everywhere(new Request(`http://own.example/${address}`, init))
    return `${response.status} ${await response.text()}`
  }
  for (const id of Object.keys(CONVERSATIONS)) {
    if (ANNS.includes(id)) continue
    const question = questions[id]?.id ?? ''
    const unknown = listAddresses('no-such-id', 'zzzzzzzz')
    for (const [index, address] of listAddresses(id, question).entries()) {
      const answer = await request(address)
      const masked = answer.replaceAll(id, 'no-such-id').replaceAll(question, 'zzzzzzzz')
      expect(masked, address).toBe(await request(unknown[index] ?? ''))
    }
    const post = (which: string): Promise<string> =>
      request('answer', {
        method: 'POST',
        body: new URLSearchParams({ id: which, action: 'decline' }),
      })
    expect(await post(question)).toBe(await post('zzzzzzzz'))
    const pending = { storage: store.documents }
    expect(await readPendingQuestion(question, pending)).toMatchObject({ state: 'open' })
  }
  for (const address of [
    '',
    'search?q=mark',
    'questions',
    'questions?all',
    'waiting',
    'use?since=30d',
  ]) {
    const page = await request(address)
    expect(page).toMatch(/^200 /)
    const others = Object.keys(CONVERSATIONS).filter((id) => !ANNS.includes(id))
    const leaked = others.filter(
      (id) => page.includes(id) || page.includes(questions[id]?.id ?? ''),
    )
    expect(leaked, address).toEqual([])
    expect(page, address).not.toMatch(/benone|benagent|chat|token |says|round|orphan|id-of-ben/)
  }
  expect(await request('questions')).toContain('Questions<span id="tb-open"> (4)')
  expect(await request('search?q=mark')).toContain('4 events with mark')
})
