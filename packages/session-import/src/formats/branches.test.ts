import {
  type ConversationStore,
  type StoredEvent,
  openStore,
  readHistory,
} from '@toolblocks/conversation-store'
import { getText } from '@toolblocks/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { importConversation, readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'
import { BRANCHES, LEAVES, TREE, claude, pi } from './branches.support.ts'

const getSaid = (events: readonly { event: StoredEvent['event'] }[]): readonly string[] =>
  events.flatMap(({ event }) => {
    if (event.type === 'tool_call') return [`call ${event.call.id}`]
    if (event.type === 'tool_result')
      return [`result ${event.result.id}: ${event.result.content.map(getText).join('')}`]
    return event.type === 'user_message' || event.type === 'assistant_message'
      ? event.content.map((block) => getText(block) ?? '')
      : []
  })

async function openMemory(): Promise<ConversationStore> {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  return store
}

/** Imports a file, and returns what the program would continue, what was taken back, and how the import went. */
async function importText(store: ConversationStore, text: string, path = '/x/s.jsonl') {
  const [read] = readConversations(getSource(text, { path }))
  if (!read) throw new Error('expected a conversation')
  const imported = await importConversation(store, read)
  expect(imported.after).toEqual(read.before)
  expect(imported.bytes).toBe(read.bytes)
  const { events } = await store.read(imported.conversation, { limit: Infinity })
  const { entries, undone } = readHistory(events)
  return { imported, kept: getSaid(entries), undone: getSaid(undone), events }
}

test.for(BRANCHES)(
  '$title: the branch that the program would continue is the conversation, and the other one is undone',
  async ({ path, text }) => {
    const store = await openMemory()
    const { kept, undone, imported } = await importText(store, text, path)
    expect(kept.slice(-3)).toEqual(['Name a lamp.', 'The south lamp.', 'Thanks.'])
    expect(kept).not.toContain('Light it.')
    expect(undone.slice(-2)).toEqual(['The north lamp.', 'Light it.'])
    expect(await importText(store, text, path)).toMatchObject({
      imported: { conversation: imported.conversation, state: 'present', added: 0 },
    })
  },
)

test.for(BRANCHES)(
  '$title: a conversation that grew by another branch is extended by it',
  async ({ path, text, before }) => {
    const store = await openMemory()
    const first = await importText(store, before, path)
    expect(first.kept.slice(-2)).toEqual(['The north lamp.', 'Light it.'])
    const { kept, imported } = await importText(store, text, path)
    expect(imported).toMatchObject({
      conversation: first.imported.conversation,
      state: 'extended',
    })
    expect(kept.slice(-3)).toEqual(['Name a lamp.', 'The south lamp.', 'Thanks.'])
    // An older copy of the file changes nothing.
    const older = await importText(store, before, path)
    expect(older.imported).toMatchObject({ state: 'present', added: 0 })
    expect(older.kept).toEqual(kept)
  },
)

test.for(LEAVES)(
  '$title: the conversation continues where the export says, and elsewhere after a later export',
  async ({ title, path, text }) => {
    const store = await openMemory()
    const first = await importText(store, text, path)
    expect(first.kept).toEqual(['Name a lamp.', 'The north lamp.', 'Light it.'])
    expect(first.undone).toEqual(['The south lamp.', 'Thanks.'])
    const later = BRANCHES.find((each) => each.title === title)?.text ?? ''
    const { imported, kept } = await importText(store, later, path)
    expect(imported).toMatchObject({ state: 'extended', added: 1 })
    expect(imported.conversation).toBe(first.imported.conversation)
    expect(kept).toEqual(['Name a lamp.', 'The south lamp.', 'Thanks.'])
    expect(await importText(store, later, path)).toMatchObject({ imported: { added: 0 } })
  },
)

test('a program that returns to a branch continues it, also between two imports', async () => {
  const store = await openMemory()
  const back = { id: 'a4', parent: 'a3', by: 'assistant', text: 'It is lit.', second: 6 } as const
  await importText(store, pi(TREE))
  const { kept, undone, imported } = await importText(store, pi([...TREE, back]))
  expect(imported).toMatchObject({ state: 'extended', added: 2 })
  expect(kept).toEqual(['Name a lamp.', 'The north lamp.', 'Light it.', 'It is lit.'])
  expect(undone).toEqual(['The south lamp.', 'Thanks.'])
})

test('pi: a person who went back to the beginning, and one who only marked an entry', async () => {
  const again = { id: 'c1', parent: null, by: 'user', text: 'Name a boat.', second: 6 } as const
  const store = await openMemory()
  expect((await importText(store, pi([...TREE, again]))).kept).toEqual(['Name a boat.'])
  const label = { type: 'label', id: 'l', parentId: 'a2', targetId: 'a2', label: 'here' }
  const marked = `${pi(TREE).replaceAll('"id":"s"', '"id":"t"')}${getLines([label])}`
  expect((await importText(store, marked)).kept).toEqual(['Name a lamp.', 'The north lamp.'])
})

const record = (uuid: string, parentUuid: string | null, type: string, content: unknown) => ({
  parentUuid,
  sessionId: 's',
  uuid,
  timestamp: '2026-02-03T04:05:06.000Z',
  type,
  message: { role: type, content },
})
const use = (id: string): object => ({ type: 'tool_use', id, name: 'look', input: {} })
const answer = (id: string): object => ({ type: 'tool_result', tool_use_id: id, content: id })

test('Claude Code: results of parallel calls, progress, and messages of agents are no branches', async () => {
  const side = { ...record('s1', null, 'user', 'Look around.'), isSidechain: true }
  const progress = { ...record('p', 'b', 'progress', ''), message: undefined, data: {} }
  const records = [
    record('a', null, 'user', 'Look at both.'),
    record('b', 'a', 'assistant', [use('c1')]),
    record('c', 'b', 'assistant', [use('c2')]),
    progress,
    side,
    { ...record('s2', 's1', 'assistant', 'I look.'), isSidechain: true },
    record('d', 'b', 'user', [answer('c1')]),
    record('e', 'c', 'user', [answer('c2')]),
    record('f', 'd', 'assistant', 'Both are lit.'),
  ]
  const { undone, kept, events } = await importText(await openMemory(), getLines(records))
  expect(undone).toEqual([])
  expect(kept.filter((text) => /^(?:call|result)/.test(text))).toEqual([
    'call c1',
    'call c2',
    'result c1: c1',
    'result c2: c2',
  ])
  expect(events.filter(({ event }) => event.type === 'rewind')).toEqual([])
})

test('Claude Code: the result of a call that was taken back belongs to no other call', async () => {
  const records = [
    record('a', null, 'user', 'Look.'),
    record('b', 'a', 'assistant', [use('c1')]),
    record('d', 'b', 'user', [answer('c1')]),
    record('x', 'a', 'assistant', [use('c2')]),
    record('y', 'x', 'user', [answer('c2')]),
  ]
  const { undone, kept } = await importText(await openMemory(), getLines(records))
  expect(kept).toEqual(['Look.', 'call c2', 'result c2: c2'])
  expect(undone).toEqual(['call c1', 'result c1: c1'])
})

test('Claude Code: a conversation that was summarized continues', async () => {
  const boundary = {
    ...record('z', null, 'system', ''),
    message: undefined,
    subtype: 'compact_boundary',
    logicalParentUuid: 'b2',
  }
  const summary = { ...record('y', 'z', 'user', 'The lamps.'), isCompactSummary: true }
  const { kept } = await importText(await openMemory(), claude(TREE, [boundary, summary]))
  expect(kept).toEqual(['Name a lamp.', 'The south lamp.', 'Thanks.', 'The lamps.'])
})

test('opencode: messages after the one to which a session was reverted are undone', async () => {
  const message = (id: string, role: string, text: string) => ({
    info: { id, role, time: { created: 1_770_000_000_000 }, sessionID: 's' },
    parts: [{ id: `p-${id}`, type: 'text', text }],
  })
  const info = {
    id: 's',
    title: 't',
    version: '1.0.0',
    directory: '/x',
    time: { created: 1_770_000_000_000 },
    revert: { messageID: 'm3' },
  }
  const messages = [
    message('m1', 'user', 'Name a lamp.'),
    message('m2', 'assistant', 'The north lamp.'),
    message('m3', 'user', 'Light it.'),
    message('m4', 'assistant', 'It is lit.'),
  ]
  const text = JSON.stringify({ info, messages })
  const { kept, undone } = await importText(await openMemory(), text, '/x/s.json')
  expect(kept).toEqual(['Name a lamp.', 'The north lamp.'])
  expect(undone).toEqual(['Light it.', 'It is lit.'])
})

test('20,000 branches, also between two long ones, are read', () => {
  const entry = (id: number, parent: number | null) => ({
    id: `n${id}`,
    parent: parent === null ? null : `n${parent}`,
    by: 'user' as const,
    text: `${id}`,
    second: 1,
  })
  const half = 10_000
  const one = Array.from({ length: half }, (_, index) =>
    entry(index, index === 0 ? null : index - 1),
  )
  const other = Array.from({ length: half }, (_, index) =>
    entry(half + index, index === 0 ? 0 : half + index - 1),
  )
  const many = Array.from({ length: 20_000 }, (_, index) =>
    entry(2 * half + index, index % 2 === 0 ? half - 1 : 2 * half - 1),
  )
  const [read] = readConversations(
    getSource(pi([...one, ...other, ...many]), { path: '/x/s.jsonl' }),
  )
  const events = (read?.events ?? []).map(({ event, at }, index): StoredEvent => ({
    seq: index + 1,
    at,
    event: event as StoredEvent['event'],
  }))
  const { undone, entries } = readHistory(events)
  expect(entries.filter(({ event }) => event.type === 'user_message')).toHaveLength(half + 2)
  expect(undone).toHaveLength(20_000 - 1 + half - 1)
})
