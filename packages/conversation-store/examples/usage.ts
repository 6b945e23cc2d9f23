import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@toolblocks/conversation-store'

const folder = await mkdtemp(join(tmpdir(), 'conversations-'))
const store = await openStore(`sqlite:${join(folder, 'conversations.db')}`)

// The store keeps blocks, not text, so how they are shown can improve without a change of the history.
const appended = await store.append('lighthouse', 0, [
  { type: 'turn_start', turn: 1 },
  { type: 'tool_call', call: { id: 'call-1', name: 'read_file', arguments: { path: 'main.rs' } } },
  {
    type: 'tool_result',
    result: {
      id: 'call-1',
      content: [
        { type: 'resource', resource: { uri: 'file:///home/ada/main.rs', text: 'fn main() {}' } },
      ],
      isError: false,
    },
  },
])
assert.deepEqual(appended, { ok: true, seq: 3 })

// A writer that missed these events cannot write over them.
const late = await store.append('lighthouse', 0, [{ type: 'turn_start', turn: 1 }])
assert.deepEqual(late, { ok: false, seq: 3 })

const { events } = await store.read('lighthouse', { before: Infinity, limit: 1 })
assert.equal(events[0]?.event.type, 'tool_result')
assert.deepEqual(await store.verify('lighthouse'), [])

// Data that changes is a document. Of all programs that know its version, one can write the next one.
const lease = { collection: 'lease', id: 'lighthouse', version: 0, state: 'held' }
const first = await store.documents.write({ ...lease, value: 'host 1' })
const second = await store.documents.write({ ...lease, value: 'host 2' })
assert.equal(first.ok, true)
assert.deepEqual(second, { ok: false, document: first.document })

await store.close()
await rm(folder, { recursive: true })
