import fc from 'fast-check'
import type { JsonValue } from '@toolblocks/protocol'
import { MAX_DOCUMENT_DEPTH } from '@toolblocks/protocol/internal'
import { expect, test } from 'vitest'
import { type DocumentRow, hashDocument } from '../rows/document-rows.ts'
import type { DocumentList, Documents } from '../store/documents.ts'
import { describeChanges, describeWriters, open } from './document-writers.support.ts'
import { anyJson, anyText, PLAIN } from './json.support.ts'
import { turns } from './reading.support.ts'
import type { StoreUnderTest } from './store-under-test.support.ts'

const getIds = ({ documents }: DocumentList): readonly string[] => documents.map(({ id }) => id)

/** Ids that are hard to store. The long ones differ only at their end, and compression does not make them shorter. */
const LONG = Array.from({ length: 3000 }, (_, index) => ((index * index) % 9973).toString(36)).join(
  '',
)
const ODD_IDS = ['', '\0', 'a\0b', 'a\0c', '\uffff', '😀', '__proto__', "a' --", LONG, `${LONG}1`]

/** Any JSON, also what resembles an event whose texts are stored apart. */
const anyValue = fc.oneof(
  anyJson,
  fc.dictionary(fc.oneof(anyText, fc.constant('__proto__')), anyJson, PLAIN),
  fc.record(
    {
      payloads: fc.constant<JsonValue>([{ path: '', sha256: '0'.repeat(64), as: 'text' }]),
      event: anyJson,
    },
    PLAIN,
  ),
)

const nest = (levels: number): JsonValue => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

/** Declares the tests of documents. */
export function describeDocuments(current: () => StoreUnderTest): void {
  const getDocuments = (): Documents => current().store.documents

  test('a document is created and replaced, each time with the next version and the time of the store’s clock', async () => {
    const documents = getDocuments()
    expect(await documents.read('question', 'q')).toBeUndefined()
    const created = await documents.write(open)
    expect(created).toEqual({
      ok: true,
      document: { ...open, version: 1, at: expect.stringMatching(/^2026-11-21T00:00:\d\d\.000Z$/) },
    })
    expect(await documents.read('question', 'q')).toEqual(created.document)
    const answer = { ...open, version: 1, state: 'answered', conversation: 'c', value: true }
    const answered = await documents.write(answer)
    expect(answered).toMatchObject({ ok: true, document: { ...answer, version: 2 } })
    expect(answered.document?.at).not.toBe(created.document?.at)
    expect(await documents.read('question', 'q')).toEqual(answered.document)
    const last = await documents.write({ ...open, version: 2, value: null })
    expect(last.document).toMatchObject({ version: 3, value: null })
    expect('conversation' in (last.document ?? {})).toBe(false)
  })

  test('a write by a writer that does not know the current version writes nothing and returns the current document', async () => {
    const documents = getDocuments()
    for (const version of [1, 5])
      expect(await documents.write({ ...open, version })).toEqual({ ok: false })
    await documents.write(open)
    const { document } = await documents.write({ ...open, version: 1, value: 'second' })
    for (const version of [0, 1, 3, -1, 1.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER])
      expect(await documents.write({ ...open, version, value: 'late' })).toEqual({
        ok: false,
        document,
      })
    expect(await documents.read('question', 'q')).toEqual(document)
  })

  test('a document is removed only by its current version, and can be created again', async () => {
    const documents = getDocuments()
    expect(await documents.remove('question', 'q', 0)).toBe(false)
    await documents.write(open)
    await documents.write({ ...open, version: 1 })
    for (const version of [0, 1, 3, 1.5, Number.NaN])
      expect(await documents.remove('question', 'q', version)).toBe(false)
    expect(await documents.remove('answer', 'q', 2)).toBe(false)
    expect(await documents.remove('question', 'q', 2)).toBe(true)
    expect(await documents.remove('question', 'q', 2)).toBe(false)
    expect(await documents.read('question', 'q')).toBeUndefined()
    expect(await documents.write({ ...open, version: 2 })).toEqual({ ok: false })
    expect(await documents.write(open)).toMatchObject({ ok: true, document: { version: 1 } })
  })

  test('documents are listed by state and conversation, in the order of their creation', async () => {
    const documents = getDocuments()
    for (const [id, state, conversation] of [
      ['b', 'open', 'c'],
      ['a', 'closed', 'c'],
      ['d', 'open', 'd'],
      ['c', 'open', undefined],
    ] as const)
      await documents.write({
        ...open,
        id,
        state,
        ...(conversation !== undefined && { conversation }),
      })
    await documents.write({ ...open, collection: 'lease', id: 'b', conversation: 'c' })
    // A write does not move a document.
    await documents.write({ ...open, id: 'b', version: 1, conversation: 'c' })
    const list = async (request = {}, collection = 'question'): Promise<readonly string[]> =>
      getIds(await documents.list(collection, request))
    expect(await list()).toEqual(['b', 'a', 'd', 'c'])
    expect(await list({ state: 'open' })).toEqual(['b', 'd', 'c'])
    expect(await list({ conversation: 'c' })).toEqual(['b', 'a'])
    expect(await list({ conversation: 'c', state: 'open' })).toEqual(['b'])
    expect(await list({ state: 'op' })).toEqual([])
    expect(await list({ conversation: '' })).toEqual([])
    expect(await list({}, 'lease')).toEqual(['b'])
    expect(await list({}, 'leases')).toEqual([])
    const [first] = (await documents.list('question')).documents
    expect(first).toEqual(await documents.read('question', 'b'))
  })

  test('a list of documents continues where the last one ended, also if its last document was removed', async () => {
    const documents = getDocuments()
    for (const id of ['a', 'b', 'c', 'd', 'e']) await documents.write({ ...open, id })
    const first = await documents.list('question', { state: 'open', limit: 2 })
    expect(getIds(first)).toEqual(['a', 'b'])
    for (const id of ['b', 'e']) await documents.remove('question', id, 1)
    await documents.write({ ...open, id: 'f' })
    const cursor = first.next ?? ''
    const second = await documents.list('question', { state: 'open', limit: 2, cursor })
    expect(getIds(second)).toEqual(['c', 'd'])
    const third = await documents.list('question', { limit: 2, cursor: second.next ?? '' })
    expect([getIds(third), third.next]).toEqual([['f'], undefined])
    expect(getIds(await documents.list('question', { limit: Infinity }))).toHaveLength(4)
    expect(await documents.list('question', { limit: 0 })).toEqual({ documents: [], damaged: [] })
    const wrong = documents.list('question', { cursor: 'b' })
    await expect(wrong).rejects.toMatchObject({ code: 'invalid-cursor' })
  })

  test('a list has 50 documents unless it is given a limit', async () => {
    const documents = getDocuments()
    for (let index = 0; index < 52; index++) await documents.write({ ...open, id: `${index}` })
    const { documents: listed, next } = await documents.list('question')
    expect([listed.length, typeof next]).toEqual([50, 'string'])
  })

  test('any text is an id, a state and a conversation, except one with half a surrogate pair', async () => {
    const documents = getDocuments()
    for (const id of ODD_IDS) {
      const write = { ...open, id, state: id, conversation: id }
      expect(await documents.write(write)).toMatchObject({ ok: true })
      expect(await documents.write({ ...write, version: 1 })).toMatchObject({ ok: true })
      expect(await documents.read('question', id)).toMatchObject({ ...write, version: 2 })
      for (const request of [{ state: id }, { conversation: id }])
        expect(getIds(await documents.list('question', request))).toEqual([id])
    }
    expect(getIds(await documents.list('question'))).toEqual(ODD_IDS)
    for (const id of ODD_IDS) expect(await documents.remove('question', id, 2)).toBe(true)
    const half = 'x\ud800'
    for (const [bad, name] of [
      [{ id: half }, 'document id'],
      [{ state: half }, 'state'],
      [{ conversation: half }, 'conversation id'],
    ] as const)
      await expect(documents.write({ ...open, ...bad })).rejects.toMatchObject({
        code: 'invalid-id',
        message: expect.stringContaining(`The ${name} "x\\ud800"`),
      })
    for (const refused of [
      documents.read('question', half),
      documents.remove('question', half, 1),
      documents.list('question', { state: half }),
      documents.list('question', { conversation: half }),
      documents.changed('question', half, 1, new AbortController().signal),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'invalid-id' })
  })

  test('a collection has 1 to 64 lower-case letters and "-"', async () => {
    const documents = getDocuments()
    for (const collection of ['', 'Question', 'a b', 'a1', 'é', 'a\n', 'a'.repeat(65)])
      await expect(documents.write({ ...open, collection })).rejects.toMatchObject({
        code: 'invalid-id',
        message: expect.stringContaining('1 to 64 lower-case letters'),
      })
    await expect(documents.list('A')).rejects.toMatchObject({ code: 'invalid-id' })
    const longest = { ...open, collection: 'a-'.repeat(32) }
    expect(await documents.write(longest)).toMatchObject({ ok: true })
  })

  test('a value is returned equal: every text, number, key and nesting', async () => {
    const documents = getDocuments()
    let version = 0
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        await documents.write({ ...open, version, value })
        version += 1
        expect((await documents.read('question', 'q'))?.value).toStrictEqual(value)
      }),
      { numRuns: 50 },
    )
    const large = {
      text: '€'.repeat(500_000),
      numbers: Array.from({ length: 50_000 }, Math.random),
    }
    await documents.write({ ...open, id: 'large', value: large })
    expect((await documents.read('question', 'large'))?.value).toEqual(large)
    expect((await documents.list('question')).documents[1]?.value).toEqual(large)
  })

  test('refuses a value that is not JSON or exceeds the limits of JSON, and writes nothing', async () => {
    const documents = getDocuments()
    const deepest = { ...open, value: nest(MAX_DOCUMENT_DEPTH) }
    expect(await documents.write(deepest)).toMatchObject({ ok: true })
    for (const [value, path] of [
      [undefined, ''],
      [{ a: [Number.NaN] }, '/a/0'],
      [{ a: 1n }, '/a'],
      [{ 'a/b': new Map() }, '/a~1b'],
      [nest(MAX_DOCUMENT_DEPTH + 1), '/0'.repeat(MAX_DOCUMENT_DEPTH)],
    ] as const) {
      const write = { ...open, version: 1 }
      Object.assign(write, { value })
      const refused = documents.write(write)
      await expect(refused).rejects.toMatchObject({
        code: 'unstorable',
        message: expect.stringContaining(
          `"q" of the collection "question" was not written: ${path}`,
        ),
        problem: { path, code: 'not-json' },
      })
    }
    expect(await documents.read('question', 'q')).toMatchObject({ version: 1 })
  })

  describeChanges(current)
  describeWriters(current)

  test('the documents of a conversation are deleted with it', async () => {
    const { store } = current()
    const { documents } = store
    await store.append('c', 0, turns(1))
    for (const [id, conversation] of [
      ['a', 'c'],
      ['b', 'd'],
      ['e', 'c'],
    ] as const)
      await documents.write({ ...open, id, conversation })
    await documents.write({ ...open, id: 'f' })
    await documents.write({ ...open, collection: 'lease', id: 'a', conversation: 'c' })
    expect(await store.delete('c')).toBe(true)
    expect(getIds(await documents.list('question'))).toEqual(['b', 'f'])
    expect(await documents.read('lease', 'a')).toBeUndefined()
    expect(await documents.write({ ...open, id: 'a', version: 1 })).toEqual({ ok: false })
    // A conversation that has only documents does not exist yet.
    expect(await store.list()).toEqual({ conversations: [] })
    expect(await store.delete('d')).toBe(false)
    expect(getIds(await documents.list('question'))).toEqual(['f'])
  })

  test('a scrub removes the value from the documents of a conversation, or from all, and a writer that knows the old version conflicts', async () => {
    const { store } = current()
    const { documents } = store
    const secret = 'correct-horse'
    const value = { [secret]: [`say ${secret}`, Buffer.from(secret).toString('base64')], other: 1 }
    await store.append('c', 0, turns(1))
    await documents.write({ ...open, id: 'a', conversation: 'c', value })
    await documents.write({ ...open, id: 'b', conversation: 'd', value })
    await documents.write({ ...open, id: 'c', conversation: 'c' })
    await documents.write({ ...open, collection: 'lease', id: 'c', value })
    const scrubbed = await store.scrub({ secret, conversation: 'c' })
    expect(scrubbed).toMatchObject({ events: 0, documents: 1 })
    const clean = { '[scrubbed]': ['say [scrubbed]', expect.any(String)], other: 1 }
    expect(await documents.read('question', 'a')).toEqual({
      ...open,
      id: 'a',
      conversation: 'c',
      version: 2,
      at: scrubbed.at,
      value: clean,
    })
    const late = await documents.write({ ...open, id: 'a', version: 1, value })
    expect(late).toMatchObject({ ok: false, document: { value: clean } })
    expect(await documents.read('question', 'b')).toMatchObject({ version: 1, value })
    expect(await documents.read('question', 'c')).toMatchObject({ version: 1 })
    expect(await store.scrub({ secret })).toMatchObject({ documents: 2 })
    expect(await documents.read('lease', 'c')).toMatchObject({ version: 2, value: clean })
    const texts = JSON.stringify((await documents.list('question')).documents)
    expect(texts).not.toContain(Buffer.from(secret).toString('base64'))
    expect(await store.verify('c')).toEqual([])
    expect(await store.scrub({ secret })).toMatchObject({ documents: 0 })
  })

  test('a damaged document is reported by reads, lists and verify, and can be replaced and removed', async ({
    skip,
  }) => {
    const { store, rows } = current()
    if (!rows) return skip('the rows of the store are not given')
    const { documents } = store
    const damages = DAMAGES.map((damage, index) => damage(createRow(`d${index}`)))
    for (const row of damages) expect(await rows.documents.write(row)).toBe(true)
    await documents.write({ ...open, conversation: 'c' })
    const ids = damages.map(({ id }) => id)
    const list = await documents.list('question')
    expect(getIds(list)).toEqual(['q'])
    expect(list.damaged).toMatchObject(ids.map((id) => ({ id, problem: getProblem(id) })))
    const verified = damages.filter(({ conversation }) => conversation === 'c')
    expect(await store.verify('c')).toMatchObject(verified.map(({ id }) => getProblem(id)))
    for (const id of ids) {
      const message = expect.stringMatching(
        `document "${id}" of the collection "question" differs .*The stored version is 1;`,
      )
      const damaged = { code: 'damaged', message }
      await expect(documents.read('question', id)).rejects.toMatchObject(damaged)
      await expect(documents.write({ ...open, id })).rejects.toMatchObject(damaged)
    }
    await store.scrub({ secret: 'damaged in the store' })
    for (const id of ['d0', 'd1']) {
      const { bytes } = (await rows.documents.read('question', id)) ?? {}
      expect(Buffer.from(bytes ?? '').toString()).not.toContain('damaged in the store')
      await expect(documents.read('question', id)).rejects.toMatchObject({ code: 'damaged' })
    }
    expect(await documents.write({ ...open, id: 'd0', version: 2 })).toMatchObject({ ok: true })
    expect(await documents.read('question', 'd0')).toMatchObject({ version: 3 })
    expect(await documents.remove('question', 'd1', 2)).toBe(true)
    expect(await documents.write({ ...open, id: 'd1' })).toMatchObject({ ok: true })
  })

  test('a closed store rejects calls of documents with the code closed', async () => {
    const { store } = current()
    const { documents } = store
    await documents.write(open)
    const { signal } = new AbortController()
    const waiting = documents.changed('question', 'q', 1, signal)
    const [ended] = await Promise.allSettled([waiting, store.close()])
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'closed' } })
    for (const call of [
      documents.read('question', 'q'),
      documents.list('question'),
      documents.write(open),
      documents.remove('question', 'q', 1),
      documents.changed('question', 'q', 1, signal),
    ])
      await expect(call).rejects.toMatchObject({ code: 'closed' })
  })
}

const getProblem = (id: string): object => ({
  path: `/documents/question/${id}`,
  code: 'damaged-document',
})

function createRow(id: string): DocumentRow {
  const content = {
    collection: 'question',
    id,
    version: 1,
    state: 'open',
    conversation: 'c',
    at: '2026-11-21T00:00:00.000Z',
    bytes: Buffer.from('"as written"'),
  }
  return { ...content, sha256: hashDocument(content) }
}

/** Changes of a row that its hash does not cover. */
const DAMAGES: readonly ((row: DocumentRow) => DocumentRow)[] = [
  (row) => ({ ...row, bytes: Buffer.from('"damaged in the store"') }),
  (row) => ({ ...row, bytes: Buffer.from('damaged in the store, and not JSON') }),
  (row) => ({ ...row, state: 'opem' }),
  (row) => ({ ...row, conversation: 'd' }),
  ({ conversation: _conversation, ...row }) => row,
  (row) => ({ ...row, at: '2026-11-21T00:00:00.001Z' }),
  (row) => ({ ...row, sha256: new Uint8Array(32) }),
  (row) => ({ ...row, sha256: hashDocument({ ...row, version: 2 }) }),
]
