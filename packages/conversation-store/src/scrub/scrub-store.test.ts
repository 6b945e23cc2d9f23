import { expect, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { MEMORY } from '../rows/sqlite/open-database.ts'
import { openSqliteRows } from '../rows/sqlite/sqlite-rows.ts'
import type { ConversationStore } from '../store/conversation-store.ts'
import { createStore } from '../store/create-store.ts'

const SECRET = 'correct-horse'
const say: ConversationEvent = { type: 'user_message', content: [{ type: 'text', text: SECRET }] }

test('a scrub of all conversations includes one that is written meanwhile', async () => {
  const rows = await openSqliteRows(MEMORY)
  const conversations = Array.from({ length: 250 }, (_, index) => `c${index}`)
  let scans = 0
  const store = createStore({
    ...rows,
    // The least recently written conversation moves to the front of the list.
    scan: async (...range) => {
      scans += 1
      if (scans === 1) await store.append('c0', 1, [say])
      return await rows.scan(...range)
    },
  })
  for (const id of conversations) await store.append(id, 0, [say])
  await store.scrub({ secret: SECRET })
  const { events } = await store.read('c0', { limit: 1 })
  expect(JSON.stringify(events)).not.toContain(SECRET)
  await store.close()
})

/** Returns an event whose text is stored apart. */
const long: ConversationEvent = {
  type: 'user_message',
  content: [{ type: 'text', text: `${SECRET} `.repeat(1000) }],
}

/** Returns rows that are scrubbed by somebody else between the reading of a row and of its bytes. */
async function createScrubbedRows(): Promise<EventRows> {
  const rows = await openSqliteRows(MEMORY)
  const other = createStore(rows)
  let isScrubbed = false
  const get: EventRows['blobs']['get'] = async (hashes) => {
    if (!isScrubbed) {
      isScrubbed = true
      await other.scrub({ secret: SECRET })
    }
    return await rows.blobs.get(hashes)
  }
  return { ...rows, blobs: { ...rows.blobs, get } }
}

test('an event that is scrubbed while it is read is returned without the value, and is not damaged', async () => {
  const store = createStore(await createScrubbedRows())
  await store.append('c', 0, [long])
  const { events } = await store.read('c')
  expect(events).toHaveLength(1)
  expect(JSON.stringify(events)).not.toContain(SECRET)
})

test('an event that is scrubbed while it is verified is not damaged', async () => {
  const store = createStore(await createScrubbedRows())
  await store.append('c', 0, [long])
  expect(await store.verify('c')).toEqual([])
})

test('an event that another scrub changes meanwhile is scrubbed in its new form', async () => {
  const store = createStore(await createScrubbedRows())
  const text = `${SECRET} battery-staple `.repeat(1000)
  await store.append('c', 0, [{ type: 'user_message', content: [{ type: 'text', text }] }])
  await store.scrub({ secret: 'battery-staple' })
  const json = JSON.stringify((await store.read('c')).events)
  expect([json.includes(SECRET), json.includes('battery-staple')]).toEqual([false, false])
})

const note = { collection: 'note', id: 'n', state: 'open' }

/** Returns rows that call back before the first write of a document. */
async function createInterruptedRows(
  interrupt: (other: ConversationStore) => Promise<unknown>,
): Promise<EventRows> {
  const rows = await openSqliteRows(MEMORY)
  const other = createStore(rows)
  let isInterrupted = false
  return {
    ...rows,
    documents: {
      ...rows.documents,
      write: async (row) => {
        if (row.version > 1 && !isInterrupted) {
          isInterrupted = true
          await interrupt(other)
        }
        return await rows.documents.write(row)
      },
    },
  }
}

test('a document that is written while it is scrubbed is scrubbed in its new form', async () => {
  const rows = await createInterruptedRows((other) =>
    other.documents.write({ ...note, version: 1, value: ['new', SECRET] }),
  )
  const store = createStore(rows)
  await store.documents.write({ ...note, version: 0, value: SECRET })
  expect(await store.scrub({ secret: SECRET })).toMatchObject({ documents: 1 })
  expect(await store.documents.read('note', 'n')).toMatchObject({
    version: 3,
    value: ['new', '[scrubbed]'],
  })
})

test('a document that is removed while it is scrubbed stays removed', async () => {
  const rows = await createInterruptedRows((other) => other.documents.remove('note', 'n', 1))
  const store = createStore(rows)
  await store.documents.write({ ...note, version: 0, value: SECRET })
  expect(await store.scrub({ secret: SECRET })).toMatchObject({ documents: 0 })
  expect(await store.documents.read('note', 'n')).toBeUndefined()
})

test('a scrub of all documents reads every page', async () => {
  const store = createStore(await openSqliteRows(MEMORY))
  for (let index = 0; index < 120; index++)
    await store.documents.write({ ...note, id: `${index}`, version: 0, value: SECRET })
  expect(await store.scrub({ secret: SECRET })).toMatchObject({ documents: 120 })
})

test('refuses a value that is part of how a document is written', async () => {
  const store = createStore(await openSqliteRows(MEMORY))
  await store.documents.write({ ...note, version: 0, value: { first: 'a', second: 'b' } })
  const refused = store.scrub({ secret: '"a","second"' })
  await expect(refused).rejects.toMatchObject({
    code: 'unscrubbable',
    message: expect.stringContaining('the document "n" of the collection "note"'),
  })
  expect(await store.documents.read('note', 'n')).toMatchObject({ version: 1 })
})
