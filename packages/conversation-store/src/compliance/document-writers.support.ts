import { expect, test } from 'vitest'
import type { ConversationStore } from '../store/conversation-store.ts'
import type { DocumentWrite } from '../store/documents.ts'
import { turns } from './reading.support.ts'
import type { StoreUnderTest } from './store-under-test.support.ts'

/** A new question without an answer. */
export const open: DocumentWrite = {
  collection: 'question',
  id: 'q',
  version: 0,
  state: 'open',
  value: { text: 'Go?' },
}

/** Declares the tests of waiting for changes. */
export function describeChanges(current: () => StoreUnderTest): void {
  const wait = async (version: number, signal = new AbortController().signal): Promise<void> =>
    await current().store.documents.changed('question', 'q', version, signal)

  test('a wait ends when the document is created, replaced or removed, before or after its beginning', async () => {
    const { documents } = current().store
    await wait(1)
    const created = wait(0)
    await documents.write(open)
    await created
    await wait(0)
    const replaced = wait(1)
    await documents.write({ ...open, version: 1 })
    await replaced
    await wait(1)
    const removed = wait(2)
    await documents.remove('question', 'q', 2)
    await removed
    await wait(2)
    expect(await documents.read('question', 'q')).toBeUndefined()
  })

  test('a wait ends when the document is deleted with its conversation', async () => {
    const { store } = current()
    await store.append('c', 0, turns(1))
    await store.documents.write({ ...open, conversation: 'c' })
    const waiting = wait(1)
    await store.delete('c')
    await waiting
    expect(await store.documents.read('question', 'q')).toBeUndefined()
  })

  test('a wait ends with its signal', async () => {
    await current().store.documents.write(open)
    const ending = new AbortController()
    const waiting = wait(1, ending.signal)
    ending.abort()
    await waiting
    await wait(1, ending.signal)
    expect(await current().store.documents.read('question', 'q')).toMatchObject({ version: 1 })
  })

  test('a reader that waits after each read sees the last version, whoever writes it', async () => {
    const { store, openAgain } = current()
    const other = await openAgain?.()
    const writer = (other ?? store).documents
    const writing = (async () => {
      for (let version = 0; version < 20; version++) await writer.write({ ...open, version })
    })()
    let known = 0
    while (known < 20) {
      await wait(known)
      known = (await store.documents.read('question', 'q'))?.version ?? 0
    }
    await writing
    await other?.close()
    expect(known).toBe(20)
  })
}

/** Declares the tests of several writers at the same time. */
export function describeWriters(current: () => StoreUnderTest): void {
  /** Calls back with stores that share their data: three if the data can be opened again, else one three times. */
  async function withStores(
    use: (stores: readonly ConversationStore[]) => Promise<void>,
  ): Promise<void> {
    const { store, openAgain } = current()
    const others = openAgain ? [await openAgain(), await openAgain()] : []
    try {
      await use(openAgain ? [store, ...others] : [store, store, store])
    } finally {
      for (const other of others) await other.close()
    }
  }

  test('writers that add to a counter at the same time lose no addition', async () => {
    await withStores(async (stores) => {
      await Promise.all(
        [...stores, ...stores].map(async (store) => {
          for (let count = 0; count < 8; count++) await increment(store)
        }),
      )
      for (const { documents } of stores)
        expect(await documents.read('counter', 'n')).toMatchObject({ version: 48, value: 48 })
    })
  })

  test('of several writers of one version one succeeds, and the others get its document', async () => {
    await withStores(async (stores) => {
      for (let version = 0; version < 5; version++) {
        const results = await Promise.all(
          stores.map(async ({ documents }, index) =>
            documents.write({ ...open, version, value: { by: index } }),
          ),
        )
        const [first] = results.filter(({ ok }) => ok)
        expect(results.filter(({ ok }) => ok)).toHaveLength(1)
        for (const result of results) expect(result.document).toEqual(first?.document)
      }
      const removed = stores.map(({ documents }) => documents.remove('question', 'q', 5))
      expect((await Promise.all(removed)).filter(Boolean)).toHaveLength(1)
    })
  })
}

/** Adds 1 to a counter, again until no other writer is first. */
async function increment({ documents }: ConversationStore): Promise<void> {
  const counter = { collection: 'counter', id: 'n', state: 'open' }
  let known = await documents.read('counter', 'n')
  for (;;) {
    const value = Number(known?.value ?? 0) + 1
    const written = await documents.write({ ...counter, version: known?.version ?? 0, value })
    if (written.ok) return
    known = written.document
  }
}
