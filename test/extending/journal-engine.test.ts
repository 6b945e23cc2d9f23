import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeConversationStore } from '../../packages/conversation-store/src/compliance.ts'
import { openJournal } from '../../packages/conversation-store/examples/journal-engine.ts'

describeConversationStore('engine of docs/extending.md', async (now) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-journal-'))
  const store = await openJournal(join(folder, 'journal.jsonl'), now)
  return {
    store,
    remove: async () => {
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
})

test('a journal that is opened again has its events', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolblocks-journal-'))
  onTestFinished(async () => await rm(folder, { recursive: true }))
  const file = join(folder, 'journal.jsonl')
  const first = await openJournal(file)
  await first.append('lamps', 0, [{ type: 'turn_start', turn: 1 }])
  await first.close()
  const again = await openJournal(file)
  expect((await again.read('lamps')).events).toMatchObject([{ event: { type: 'turn_start' } }])
  expect(await again.verify('lamps')).toEqual([])
  await again.close()
})
