import { openStore } from '@toolblocks/conversation-store'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openJpStore } from './open-jp-store.ts'

test('opens a folder of JP as a read-only store', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-jp-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const inner = join(folder, 'conversations', '17700000001-lamps')
  mkdirSync(inner, { recursive: true })
  const timestamp = '2026-03-05 22:12:35.5'
  const records = [
    { timestamp, type: 'chat_request', content: 'Count the lamps.' },
    { timestamp, type: 'tool_call_request', id: 'c', name: 'count', arguments: {} },
    { timestamp, type: 'tool_call_response', id: 'c', content: 'NA==', is_error: false },
  ]
  writeFileSync(join(inner, 'events.json'), JSON.stringify(records))
  writeFileSync(join(inner, 'metadata.json'), '{"title": "Lamps"}')

  const store = await openStore(`jp:${folder}`, { openers: { jp: openJpStore } })
  const { conversations } = await store.list()
  expect(conversations).toMatchObject([{ id: 'jp-17700000001', events: 3 }])
  const { events } = await store.read('jp-17700000001')
  expect(events[2]?.event).toMatchObject({ result: { content: [{ type: 'text', text: '4' }] } })
  expect(await store.search({ text: 'lamps' })).toHaveLength(1)
  expect(await store.verify('jp-17700000001')).toEqual([])
  const refused = { name: 'StoreError', code: 'read-only' }
  await expect(store.append('x', 0, [{ type: 'turn_start', turn: 1 }])).rejects.toMatchObject(
    refused,
  )
  await expect(store.delete('jp-17700000001')).rejects.toMatchObject(refused)
  await expect(store.scrub({ secret: 'not in it' })).rejects.toMatchObject(refused)
  const note = { collection: 'note', id: 'n', version: 0, state: 'open', value: 'lamps' }
  await expect(store.documents.write(note)).rejects.toMatchObject(refused)
  await expect(store.documents.remove('note', 'n', 1)).rejects.toMatchObject(refused)
  expect(await store.documents.list('note')).toEqual({ documents: [], damaged: [] })
  await store.close()
})

test('refuses a folder that does not exist', async () => {
  await expect(openStore('jp:/nowhere', { openers: { jp: openJpStore } })).rejects.toMatchObject({
    code: 'cannot-open',
  })
})

test('refuses an address without a reader for its scheme, with an error that lists the known schemes', async () => {
  await expect(openStore('jp:/nowhere')).rejects.toMatchObject({ code: 'unsupported-url' })
  await expect(openStore('lamps:x', { openers: { jp: openJpStore } })).rejects.toMatchObject({
    code: 'unsupported-url',
    message: expect.stringContaining('"jp:PATH"'),
  })
})
