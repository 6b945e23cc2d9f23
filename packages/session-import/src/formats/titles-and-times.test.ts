import {
  type ConversationDescription,
  type ConversationSummary,
  FORMAT_NAMES,
  type FormatName,
  describeConversation,
  openStore,
} from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { importConversation, readConversations } from '../import-conversation.ts'
import { FIXTURES, makeFile } from '../fixtures.support.ts'
import { SAMPLES } from '../samples.support.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'
import { openSource } from '../sources/source.ts'

type Described = ConversationDescription & ConversationSummary

/** Imports lines and returns what the list of conversations shows of them. */
async function describeLines(records: readonly unknown[], path: string): Promise<Described> {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  const [read] = readConversations(getSource(getLines(records), { path }))
  if (!read) throw new Error('expected a conversation')
  const { conversation } = await importConversation(store, read)
  const [summary] = (await store.list({})).conversations
  if (!summary) throw new Error('expected a stored conversation')
  return { ...summary, ...(await describeConversation(store, conversation)) }
}

const timestamp = '2026-02-03T04:05:06.000Z'

/** How a program records the title of a session that is one file of lines. */
interface TitledFormat {
  /** Records of the program before everything that was said; they have no time if the program writes none. */
  head: readonly object[]
  message: object
  /** A title that a person chose, and one that the program generated. `undefined`: the program does not write such a title into its records. */
  person: ((text: string) => object) | undefined
  program: ((text: string) => object) | undefined
  /** A title of another session in the same file. */
  other?: (text: string) => object
}

const TITLED: Readonly<Record<string, TitledFormat>> = {
  'claude-code': {
    head: [{ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }],
    message: {
      parentUuid: null,
      sessionId: 's',
      uuid: 'u',
      timestamp,
      cwd: '/w/own',
      type: 'user',
      message: { role: 'user', content: 'Look.' },
    },
    person: (customTitle) => ({ type: 'custom-title', customTitle, sessionId: 's' }),
    program: (aiTitle) => ({ type: 'ai-title', aiTitle, sessionId: 's' }),
    other: (summary) => ({ type: 'summary', summary, leafUuid: 'in-another-file' }),
  },
  codex: {
    head: [{ timestamp, type: 'session_meta', payload: { id: 's', cwd: '/w/own' } }],
    message: {
      timestamp,
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
    },
    person: (thread_name) => ({
      timestamp,
      type: 'event_msg',
      payload: { type: 'thread_name_updated', thread_id: 's', thread_name },
    }),
    program: undefined,
    other: (thread_name) => ({
      timestamp,
      type: 'event_msg',
      payload: { type: 'thread_name_updated', thread_id: 'other', thread_name },
    }),
  },
  'gemini-cli': {
    head: [{ sessionId: 's', projectHash: 'h', startTime: timestamp }],
    message: { id: 'm', timestamp, type: 'user', content: 'Look.' },
    person: undefined,
    program: (summary) => ({ $set: { summary } }),
  },
  'qwen-code': {
    head: [],
    message: {
      uuid: 'u',
      parentUuid: null,
      sessionId: 's',
      timestamp,
      cwd: '/w/own',
      type: 'user',
      message: { role: 'user', parts: [{ text: 'Look.' }] },
    },
    person: (customTitle) => ({
      uuid: 't',
      parentUuid: null,
      sessionId: 's',
      type: 'system',
      subtype: 'custom_title',
      systemPayload: { customTitle },
    }),
    program: (customTitle) => ({
      uuid: 'g',
      parentUuid: null,
      sessionId: 's',
      type: 'system',
      subtype: 'custom_title',
      systemPayload: { customTitle, titleSource: 'auto' },
    }),
  },
  'copilot-cli': {
    head: [
      {
        type: 'session.start',
        timestamp,
        data: { sessionId: 's', context: { cwd: '/w/own' } },
      },
    ],
    message: { type: 'user.message', timestamp, data: { content: 'Look.' } },
    person: undefined,
    program: (title) => ({ type: 'session.title_changed', timestamp, data: { title } }),
  },
  pi: {
    head: [{ type: 'session', version: 3, id: 's', timestamp, cwd: '/w/own' }],
    message: {
      type: 'message',
      id: '1',
      parentId: null,
      timestamp,
      message: { role: 'user', content: 'Look.' },
    },
    person: (name) => ({ type: 'session_info', id: '2', parentId: '1', timestamp, name }),
    program: undefined,
  },
}

/** Why the other formats have no title in their records. */
const UNTITLED: Readonly<Record<string, string>> = {
  jp: 'the title is in metadata.json',
  lace: 'a log has no title',
  'lace-sqlite': 'a thread has no title',
  toolblocks: 'an export contains the events with their title',
  'toolblocks-sqlite': 'a store contains the events with their title',
  opencode: 'the title is a field of the session',
  'opencode-sqlite': 'the title is a column of the session',
  cline: 'the title is in history_item.json and in the first request',
  cursor: 'the title is the heading of an export, and a transcript has none',
  chatgpt: 'the title is a field of the conversation',
  'claude-ai': 'the name is a field of the conversation',
  'ai-sdk': 'messages have no title',
  openai: 'messages have no title',
  anthropic: 'messages have no title',
  gemini: 'contents have no title',
  'message-lines': 'messages have no title',
}

test('the table says for every format how it records titles', () => {
  expect([...Object.keys(TITLED), ...Object.keys(UNTITLED)].toSorted()).toEqual(
    FORMAT_NAMES.toSorted(),
  )
})

const FORMATS = Object.entries(TITLED).map(([format, titled]) => ({ format, ...titled }))
const path = '/x/session.jsonl'

test.for(FORMATS)(
  '$format: finds the title and the folder whether they are first or last, and whatever the first record is',
  async ({ format, head, message, person, program }) => {
    const title = (person ?? program)?.('Mend the lamp')
    for (const records of [
      [...head, message, title],
      [...head, title, message],
    ])
      expect(await describeLines(records, path)).toMatchObject({
        title: 'Mend the lamp',
        ...(format !== 'gemini-cli' && { folder: '/w/own' }),
        madeBy: format,
      })
  },
)

test.for(FORMATS)(
  '$format: the last title counts, and that of a person before a generated one',
  async ({ head, message, person, program }) => {
    const write = person ?? program
    const all = [write?.('First'), write?.('Second')]
    expect(await describeLines([...head, message, ...all], path)).toMatchObject({ title: 'Second' })
    if (!person || !program) return
    for (const records of [
      [person('Chosen'), program('Generated')],
      [program('Generated'), person('Chosen')],
    ])
      expect(await describeLines([...head, message, ...records], path)).toMatchObject({
        title: 'Chosen',
      })
    const removed = [program('Generated'), person('Chosen'), person('')]
    expect(await describeLines([...head, message, ...removed], path)).toMatchObject({
      title: 'Generated',
    })
  },
)

test.for(FORMATS.filter(({ other }) => other))(
  '$format: does not take the title of another session',
  async ({ head, message, other }) => {
    expect(await describeLines([...head, message, other?.('Elsewhere')], path)).toMatchObject({
      title: 'Look.',
    })
  },
)

test('Claude Code: the folder is that of the session, not of the one that it continues', async () => {
  const { message } = TITLED['claude-code'] ?? {}
  const earlier = { ...message, sessionId: 'earlier', cwd: '/w/earlier' }
  expect(await describeLines([earlier, { ...message, uuid: 'v' }], path)).toMatchObject({
    folder: '/w/own',
  })
})

/** Formats whose files have no times. */
const TIMELESS: ReadonlySet<string> = new Set<FormatName>([
  'cursor',
  'ai-sdk',
  'openai',
  'anthropic',
  'gemini',
  'message-lines',
])

test.for(FORMATS)(
  '$format: records before the first time do not have the time of the file',
  async ({ head, message, person, program }) => {
    const untimed = [...head, (person ?? program)?.('Mend the lamp')].map((record) => {
      const { timestamp: _, ...rest } = { timestamp, ...record }
      return rest
    })
    expect(await describeLines([...untimed, message], path)).toMatchObject({
      createdAt: timestamp,
      updatedAt: timestamp,
    })
  },
)

test.for(FIXTURES)('$name begins before it ends, and is not dated by its file', (fixture) => {
  const modifiedAt = '2031-01-01T00:00:00.000Z'
  const source = { ...openSource(makeFile(fixture)), modifiedAt }
  for (const { events } of readConversations(source)) {
    const times = events.map(({ at }) => at)
    if (TIMELESS.has(fixture.format)) continue
    expect((times[0] ?? '') <= (times.at(-1) ?? '')).toBe(true)
    expect(times).not.toContain(modifiedAt)
  }
})

test('the samples of formats without times have the time of the file', () => {
  for (const { format, path: samplePath, text } of SAMPLES.filter((sample) =>
    TIMELESS.has(sample.format),
  ))
    for (const { events } of readConversations(getSource(text, { path: samplePath })))
      expect([format, new Set(events.map((event) => event.at))]).toEqual([
        format,
        new Set(['2026-01-01T00:00:00.000Z']),
      ])
})
