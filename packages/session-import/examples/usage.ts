import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeConversation, openStore } from '@toolblocks/conversation-store'
import {
  detectFormat,
  findSourceFiles,
  importConversation,
  openConversations,
  openSource,
  readConversations,
} from '@toolblocks/session-import'

// A folder with a chat as messages for OpenAI. Any file of a known format can be in it.
const folder = await mkdtemp(join(tmpdir(), 'sessions-'))
const chat = [
  { role: 'user', content: 'Which lamp is broken?' },
  {
    role: 'assistant',
    tool_calls: [
      { id: 'call-1', type: 'function', function: { name: 'list_lamps', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call-1', content: 'lamp 3: broken' },
]
await writeFile(join(folder, 'chat.json'), JSON.stringify(chat))

const { files } = findSourceFiles(folder)
const sources = files.map((file) => openSource(file))
assert.deepEqual(sources.map(detectFormat), ['openai'])

// Read it without importing it: the events are converted when they are read.
const [conversation] = sources.flatMap((source) => readConversations(source))
assert.ok(conversation)
assert.deepEqual(conversation.problems, [])
const opened = await openConversations([conversation])
assert.equal((await describeConversation(opened, conversation.id)).title, 'Which lamp is broken?')
await opened.close()

// Or import it: completely or not at all, with its original records, and never twice.
const store = await openStore('memory:')
const first = await importConversation(store, conversation)
const second = await importConversation(store, conversation)
assert.deepEqual([first.state, second.state], ['imported', 'present'])
const { events } = await store.read(first.conversation)
assert.deepEqual(
  events.map(({ event }) => event.type),
  ['user_message', 'tool_call', 'tool_result'],
)

await store.close()
await rm(folder, { recursive: true })
