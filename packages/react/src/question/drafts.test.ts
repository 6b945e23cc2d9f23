import { expect, test } from 'vitest'
import { discard, type DraftStorage, readStored, store } from './drafts.ts'

/** A storage as a page has it. */
function createStorage(): DraftStorage & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

const DRAFT = new Map([
  ['boat', ['Petrel']],
  ['key', ['hunter2']],
])

test('a draft is kept under its key without its secrets, until it is discarded', () => {
  const storage = createStorage()
  store(storage, 'a', DRAFT, new Set(['key']))
  expect(readStored(storage, 'a')).toEqual(new Map([['boat', ['Petrel']]]))
  expect(readStored(storage, 'b')).toBeUndefined()
  discard(storage, 'a')
  expect(readStored(storage, 'a')).toBeUndefined()
})

test('a draft that consists of secrets is not kept', () => {
  const storage = createStorage()
  store(storage, 'a', DRAFT, new Set(['boat', 'key']))
  expect(storage.kept.size).toBe(0)
})

test.for(['', 'no JSON', '{}', '[["boat"]]', '[["boat","Petrel"]]', '[["boat",[1]]]'])(
  'a stored text that is no draft is ignored: %j',
  (text) => {
    const storage = createStorage()
    storage.setItem('a', text)
    expect(readStored(storage, 'a')).toBeUndefined()
  },
)

test('a storage that the browser forbids keeps nothing, and prevents nothing', () => {
  const forbid = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const storage: DraftStorage = { getItem: forbid, setItem: forbid, removeItem: forbid }
  store(storage, 'a', DRAFT, new Set())
  expect(readStored(storage, 'a')).toBeUndefined()
  discard(storage, 'a')
})
