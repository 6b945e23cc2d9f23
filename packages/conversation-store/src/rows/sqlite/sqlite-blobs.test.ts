import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ConversationEvent } from '../../events/conversation-event.ts'
import { openStore } from '../../open-store.ts'

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'blobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'store.db')
}

function screenshot(seed: number): ConversationEvent {
  const bytes = Buffer.alloc(60_000)
  let state = seed + 1
  // Numbers that, like those of a picture, cannot be compressed.
  for (let index = 0; index < bytes.length; index++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    bytes[index] = state >>> 16
  }
  const content = [
    { type: 'image', data: bytes.toString('base64'), mimeType: 'image/png' },
  ] as const
  return { type: 'tool_result', result: { content, isError: false } }
}

async function sizeWith(inlineLimit: number): Promise<number> {
  const file = makeFile()
  const store = await openStore(`sqlite:${file}`, { inlineLimit })
  for (let seq = 0; seq < 200; seq++) await store.append('c', seq, [screenshot(seq % 20)])
  await store.close()
  return statSync(file).size
}

test('200 screenshots, 20 of them distinct, take a tenth of the space that they would take in their events', async () => {
  expect((await sizeWith(Infinity)) / (await sizeWith(8192))).toBeGreaterThan(10)
})

test.for<[string, string]>([
  ['is missing', 'DELETE FROM blobs'],
  ['has changed', "UPDATE blobs SET bytes = x'00', encoding = 'raw'"],
  [
    'has another encoding than its row states',
    "UPDATE blobs SET encoding = CASE encoding WHEN 'raw' THEN 'deflate' ELSE 'raw' END",
  ],
])('an event whose blob %s is never read, and verify reports it', async ([, sql]) => {
  const file = makeFile()
  const store = await openStore(`sqlite:${file}`)
  await store.append('c', 0, [{ type: 'turn_start', turn: 1 }, screenshot(1)])
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  await expect(store.read('c')).rejects.toMatchObject({
    code: 'damaged',
    conversation: 'c',
    seq: 2,
  })
  expect((await store.read('c', { limit: 1 })).events).toHaveLength(1)
  expect(await store.verify('c')).toMatchObject([{ path: '/2', code: 'damaged-event' }])
  await store.close()
})

test('lists and heads never load a blob', async () => {
  const file = makeFile()
  const store = await openStore(`sqlite:${file}`)
  await store.append('c', 0, [screenshot(1)])
  const database = new DatabaseSync(file)
  database.exec('DELETE FROM blobs')
  database.close()
  expect((await store.list()).conversations).toMatchObject([{ id: 'c', events: 1 }])
  expect(await store.append('c', 1, [{ type: 'turn_start', turn: 2 }])).toEqual({
    ok: true,
    seq: 2,
  })
  await store.close()
})
